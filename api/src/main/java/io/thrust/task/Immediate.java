package io.thrust.task;

import org.jspecify.annotations.Nullable;

/** Ready, or failed, at the first poll. */
final class Immediate<T extends @Nullable Object> implements Async<T> {
    private final @Nullable T value;
    private final @Nullable Exception failure;

    Immediate(@Nullable T value, @Nullable Exception failure) {
        this.value = value;
        this.failure = failure;
    }

    @Override
    public boolean poll(Waker waker) throws Exception {
        if (failure != null) {
            throw failure;
        }
        return READY;
    }

    @Override
    @SuppressWarnings("NullAway") // a value of type T, which may itself be nullable
    public T result() {
        if (failure != null) {
            throw new IllegalStateException("it has failed and has no result", failure);
        }
        return value;
    }
}
