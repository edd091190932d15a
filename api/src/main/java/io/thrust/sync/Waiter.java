package io.thrust.sync;

import io.thrust.log.Log;
import io.thrust.task.AbstractAsync;
import io.thrust.task.Budget;
import io.thrust.task.Waker;
import org.jspecify.annotations.Nullable;

/** An operation that may have to wait in a {@link WaitQueue}, of which it is the link itself. */
abstract class Waiter<T extends @Nullable Object> extends AbstractAsync<T> {
    private static final Log LOG = new Log("io.thrust.sync");

    private static final byte FRESH = 0;
    private static final byte WAITING = 1;
    /** Out of the queue, given what it waited for, woken, and not polled since. */
    private static final byte GRANTED = 2;

    @Nullable Waiter<?> previous;

    @Nullable Waiter<?> next;

    private @Nullable Waker waker;
    private byte state = FRESH;

    /** The first poll: true if it is done; else it has to wait. */
    abstract boolean begin() throws Exception;

    /** The poll after it was granted: true if it is done. */
    abstract boolean takeGranted() throws Exception;

    /** Where it waits. */
    abstract WaitQueue queue();

    /** Cancelled while it waited; it is out of the queue. */
    void onLeft() {}

    /** Cancelled after it was granted: gives back. */
    abstract void onGrantRefused();

    @Override
    protected final boolean advance(Waker waker) throws Exception {
        if (state == WAITING) {
            this.waker = waker;
            return PENDING;
        }
        Budget budget = Budget.current();
        if (!budget.take(waker)) {
            return PENDING;
        }
        if (state == GRANTED ? takeGranted() : begin()) {
            return READY;
        }
        budget.giveBack();
        state = WAITING;
        this.waker = waker;
        queue().add(this);
        return PENDING;
    }

    /** By whoever took it out of the queue. */
    final void grant() {
        state = GRANTED;
        Waker waker = this.waker;
        this.waker = null;
        if (waker != null) {
            wake(waker);
        }
    }

    /** Wakes; a waker of a user's own that throws is told of, and keeps nobody else from being woken. */
    static void wake(Waker waker) {
        try {
            waker.wake();
        } catch (Throwable t) {
            LOG.error(() -> "a waker threw: " + waker, t);
        }
    }

    @Override
    protected final void release() {
        waker = null;
        if (state == WAITING) {
            queue().remove(this);
            onLeft();
        } else if (state == GRANTED) {
            onGrantRefused();
        }
    }
}
