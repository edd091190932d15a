package io.thrust.task;

import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** See {@link Async#then}. */
final class Then<T extends @Nullable Object, R extends @Nullable Object> implements Async<R> {
    private final Function<? super T, ? extends Async<R>> function;
    private @Nullable Async<T> first;
    private @Nullable Async<R> second;

    Then(Async<T> first, Function<? super T, ? extends Async<R>> function) {
        this.first = Objects.requireNonNull(first, "first");
        this.function = Objects.requireNonNull(function, "function");
    }

    @Override
    public boolean poll(Waker waker) throws Exception {
        Async<R> second = this.second;
        if (second == null) {
            Async<T> first = this.first;
            if (first == null) {
                throw new IllegalStateException("polled after it had failed or was cancelled");
            }
            if (first.poll(waker) == PENDING) {
                return PENDING;
            }
            T value = first.result();
            this.first = null;
            second = Objects.requireNonNull(function.apply(value), "the function of then(...) returned null");
            this.second = second;
        }
        return second.poll(waker);
    }

    @Override
    public R result() {
        if (second == null) {
            throw new IllegalStateException("not ready");
        }
        return second.result();
    }

    @Override
    public void cancel() {
        if (first != null) {
            first.cancel();
            first = null;
        }
        if (second != null) {
            second.cancel();
        }
    }
}
