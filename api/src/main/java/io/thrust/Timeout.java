package io.thrust;

import io.thrust.task.Async;
import io.thrust.task.Waker;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** See {@link Timers#timeout}. */
final class Timeout<T extends @Nullable Object> implements Async<T> {
    private final Duration duration;
    private final Async<T> inner;
    private final Sleep sleep;

    Timeout(Duration duration, Async<T> inner) {
        this.duration = duration;
        this.inner = Objects.requireNonNull(inner, "async");
        this.sleep = new Sleep(Timers.nanos(duration));
    }

    @Override
    public boolean poll(Waker waker) throws Exception {
        boolean ready;
        try {
            ready = inner.poll(waker);
        } catch (Throwable t) {
            sleep.cancel();
            throw t;
        }
        if (ready) {
            sleep.cancel();
            return READY;
        }
        boolean due;
        try {
            due = sleep.poll(waker);
        } catch (Throwable t) {
            // No loop is running here: nobody would cancel what has begun.
            inner.cancel();
            throw t;
        }
        if (!due) {
            return PENDING;
        }
        AsyncTimeoutException late = new AsyncTimeoutException("not done within " + duration + "; it was cancelled");
        try {
            inner.cancel();
        } catch (Throwable t) {
            late.addSuppressed(t);
        }
        throw late;
    }

    @Override
    public T result() {
        return inner.result();
    }

    @Override
    public void cancel() {
        sleep.cancel();
        inner.cancel();
    }
}
