package io.thrust.task;

import org.jspecify.annotations.Nullable;

/** What a user's code does on the way out of something else: what it throws is logged, and harms nobody. */
final class Quietly {
    private Quietly() {}

    /** Closes a result that nobody can take any more, if it can be closed. */
    static void close(@Nullable Object result) {
        if (result instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (Throwable t) {
                Failure.log("closing what nobody uses any more failed", t);
            }
        }
    }

    static void cancel(Async<?> async) {
        try {
            async.cancel();
        } catch (Throwable t) {
            Failure.log("cancelling a task failed", t);
        }
    }

    /** Wakes whoever waits, if there is somebody, for what has happened already. */
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
