package io.thrust.task;

import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** See {@link Async#lazy}. */
final class Lazy<T extends @Nullable Object> implements Async<T> {
    private @Nullable Supplier<? extends Async<T>> supplier;
    private @Nullable Async<T> inner;

    Lazy(Supplier<? extends Async<T>> supplier) {
        this.supplier = Objects.requireNonNull(supplier, "supplier");
    }

    @Override
    public boolean poll(Waker waker) throws Exception {
        Async<T> inner = this.inner;
        if (inner == null) {
            if (supplier == null) {
                throw new IllegalStateException("polled after it was cancelled");
            }
            inner = Objects.requireNonNull(supplier.get(), "the supplier of lazy(...) returned null");
            supplier = null;
            this.inner = inner;
        }
        return inner.poll(waker);
    }

    @Override
    public T result() {
        if (inner == null) {
            throw new IllegalStateException("not ready");
        }
        return inner.result();
    }

    @Override
    public void cancel() {
        supplier = null;
        if (inner != null) {
            inner.cancel();
        }
    }
}
