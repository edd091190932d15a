package io.thrust.task;

import org.jspecify.annotations.Nullable;

/** Waking whoever waits for what has happened already. */
final class Wakers {
    private Wakers() {}

    /** Wakes, if there is one; a waker of a user's own that throws is told of, and what has happened goes on. */
    static void wake(@Nullable Waker waker) {
        if (waker != null) {
            try {
                waker.wake();
            } catch (Throwable t) {
                Failure.log("a waker threw", t);
            }
        }
    }
}
