package io.thrust;

import io.thrust.task.AbstractAsync;
import io.thrust.task.Async;
import io.thrust.task.Waker;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** See {@link Timers#timeout}. */
final class Timeout<T extends @Nullable Object> extends AbstractAsync<T> {
    private final Duration duration;
    private final Async<T> inner;
    private final Sleep sleep;

    Timeout(Duration duration, Async<T> inner) {
        this.duration = duration;
        this.inner = Objects.requireNonNull(inner, "async");
        this.sleep = Sleep.of(Timers.nanos(duration));
    }

    @Override
    protected boolean advance(Waker waker) throws Exception {
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
            cancelAfter(t);
            throw t;
        }
        if (!due) {
            return PENDING;
        }
        AsyncTimeoutException late = new AsyncTimeoutException("not done within " + duration + "; it was cancelled");
        cancelAfter(late);
        throw late;
    }

    private void cancelAfter(Throwable failure) {
        try {
            inner.cancel();
        } catch (Throwable t) {
            if (t != failure) {
                failure.addSuppressed(t);
            }
        }
    }

    @Override
    protected T value() {
        return inner.result();
    }

    @Override
    protected void release() {
        sleep.cancel();
        inner.cancel();
    }
}
