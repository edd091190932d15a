package io.thrust.net;

import io.thrust.task.Async;
import io.thrust.task.Waker;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** An operation on a socket, polled until it is done, fails, or is cancelled. */
abstract class Operation<T extends @Nullable Object> implements Async<T> {
    private static final byte UNDER_WAY = 0;
    private static final byte DONE = 1;
    private static final byte FAILED = 2;
    private static final byte CANCELLED = 3;

    private byte state;

    /** Makes progress; true when done. */
    abstract boolean tryOnce(Waker waker) throws IOException;

    abstract T value();

    /** Gives up, not having finished. */
    abstract void release();

    @Override
    public final boolean poll(Waker waker) throws IOException {
        if (state != UNDER_WAY) {
            throw new IllegalStateException("polled again after it "
                    + (state == DONE ? "was done" : state == FAILED ? "had failed" : "was cancelled"));
        }
        // Until it is known better: an exception ends it.
        state = FAILED;
        boolean done = tryOnce(waker);
        state = done ? DONE : UNDER_WAY;
        return done;
    }

    @Override
    public final T result() {
        if (state != DONE) {
            throw new IllegalStateException("not ready");
        }
        return value();
    }

    @Override
    public final void cancel() {
        if (state == UNDER_WAY) {
            state = CANCELLED;
            release();
        }
    }
}
