package io.thrust.task;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** See {@link Async#closing}. */
final class Closing<T extends @Nullable Object> implements Async<T> {
    private final Async<T> inner;

    /** Null once it was closed. */
    private @Nullable AutoCloseable resource;

    Closing(Async<T> inner, AutoCloseable resource) {
        this.inner = inner;
        this.resource = Objects.requireNonNull(resource, "resource");
    }

    @Override
    public boolean poll(Waker waker) throws Exception {
        boolean ready;
        try {
            ready = inner.poll(waker);
        } catch (Throwable t) {
            closeAfter(t);
            throw t;
        }
        if (ready) {
            close();
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
    public T result() {
        return inner.result();
    }

    @Override
    public void cancel() {
        AutoCloseable resource = this.resource;
        this.resource = null;
        try {
            inner.cancel();
        } finally {
            LocalExecutor.closeQuietly(resource);
        }
    }
}
