package io.thrust.sync;

import io.thrust.task.Async;
import org.jspecify.annotations.Nullable;

/**
 * Tells tasks of one loop that something has changed, without saying what. Belongs to one thread.
 *
 * <p>{@link #notifyOne} reaches the one that waits longest; if nobody waits it is kept, once, for the next that comes: so
 * who looks, and then waits, misses nothing. {@link #notifyWaiters} reaches all that wait at that moment, which are those
 * that were polled before, and is not kept. One that was reached by {@code notifyOne} and is cancelled before it was
 * polled hands it on.
 */
public final class Notify extends Confined {
    private final WaitQueue waiters = new WaitQueue();
    private boolean kept;

    /** Creates one, with nothing kept. */
    public Notify() {}

    /** Waits to be reached by one of the two. */
    public Async<@Nullable Void> notified() {
        return new Notified();
    }

    /** Reaches one; kept if nobody waits, and then any number of calls counts as one. */
    public void notifyOne() {
        ensureOwner();
        reachOne();
    }

    private void reachOne() {
        if (!waiters.grantFirst()) {
            kept = true;
        }
    }

    /** Reaches all that wait now. */
    public void notifyWaiters() {
        ensureOwner();
        for (Waiter<?> waiter = waiters.first(); waiter != null; waiter = waiter.next) {
            ((Notified) waiter).withOthers = true;
        }
        waiters.grantAll();
    }

    private final class Notified extends Waiter<@Nullable Void> {
        private boolean withOthers;

        @Override
        boolean begin() {
            ensureOwner();
            if (kept) {
                kept = false;
                return true;
            }
            return false;
        }

        @Override
        boolean takeGranted() {
            return true;
        }

        @Override
        WaitQueue queue() {
            return waiters;
        }

        @Override
        void onGrantRefused() {
            // Not only by the owner: a loop that another thread closes cancels its tasks there.
            if (!withOthers) {
                reachOne();
            }
        }

        @Override
        protected @Nullable Void value() {
            return null;
        }
    }
}
