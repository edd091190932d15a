package io.thrust.sync;

import io.thrust.task.Async;
import io.thrust.task.Budget;
import io.thrust.task.Waker;
import org.jspecify.annotations.Nullable;

/** An operation that may have to wait in a {@link WaitQueue}, of which it is the link itself. */
abstract class Waiter<T extends @Nullable Object> implements Async<T> {
    private static final byte FRESH = 0;
    private static final byte WAITING = 1;
    /** Out of the queue, given what it waited for, woken, and not polled since. */
    private static final byte GRANTED = 2;

    private static final byte DONE = 3;
    private static final byte ENDED = 4;

    @Nullable Waiter<?> previous;

    @Nullable Waiter<?> next;

    private @Nullable Waker waker;
    private byte state;

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
    public final boolean poll(Waker waker) throws Exception {
        switch (state) {
            case FRESH, GRANTED -> {
                boolean granted = state == GRANTED;
                Budget budget = Budget.current();
                if (!budget.take(waker)) {
                    return PENDING;
                }
                // Until it is known better: an exception ends it.
                state = ENDED;
                if (granted ? takeGranted() : begin()) {
                    state = DONE;
                    return READY;
                }
                budget.giveBack();
                state = WAITING;
                this.waker = waker;
                queue().add(this);
                return PENDING;
            }
            case WAITING -> {
                this.waker = waker;
                return PENDING;
            }
            default ->
                throw new IllegalStateException(
                        "polled again after it " + (state == DONE ? "was done" : "had failed or was cancelled"));
        }
    }

    /** By whoever took it out of the queue. */
    final void grant() {
        state = GRANTED;
        Waker waker = this.waker;
        this.waker = null;
        if (waker != null) {
            waker.wake();
        }
    }

    final void ensureDone() {
        if (state != DONE) {
            throw new IllegalStateException("not ready");
        }
    }

    @Override
    public final void cancel() {
        byte before = state;
        if (before == DONE || before == ENDED) {
            return;
        }
        state = ENDED;
        waker = null;
        if (before == WAITING) {
            queue().remove(this);
            onLeft();
        } else if (before == GRANTED) {
            onGrantRefused();
        }
    }
}
