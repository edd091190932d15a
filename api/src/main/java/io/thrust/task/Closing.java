package io.thrust.task;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** See {@link Async#closing} and {@link Async#doFinally}. */
final class Closing<T extends @Nullable Object> extends AbstractAsync<T> {
    private final Async<T> inner;

    /** Null once it was closed. */
    private @Nullable AutoCloseable resource;

    Closing(Async<T> inner, AutoCloseable resource) {
        this.inner = inner;
        this.resource = Objects.requireNonNull(resource, "resource");
    }

    @Override
    protected boolean advance(Waker waker) throws Exception {
        boolean ready;
        try {
            ready = inner.poll(waker);
        } catch (Throwable t) {
            closeAfter(t);
            throw t;
        }
        if (ready) {
            try {
                close();
            } catch (Throwable t) {
                // The failure takes the place of the result, which nobody can take any more.
                Quietly.close(inner.result());
                throw t;
            }
        }
        return ready;
    }

    private void closeAfter(Throwable failure) {
        try {
            close();
        } catch (Throwable t) {
            if (t != failure) {
                failure.addSuppressed(t);
            }
        }
    }

    private void close() throws Exception {
        AutoCloseable resource = this.resource;
        this.resource = null;
        if (resource != null) {
            resource.close();
        }
    }

    @Override
    protected T value() {
        return inner.result();
    }

    @Override
    protected void release() {
        AutoCloseable resource = this.resource;
        this.resource = null;
        try {
            inner.cancel();
        } finally {
            Quietly.close(resource);
        }
    }
}
