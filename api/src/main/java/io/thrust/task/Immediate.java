package io.thrust.task;

import org.jspecify.annotations.Nullable;

/** Ready, or failed, at the first poll. */
final class Immediate<T extends @Nullable Object> extends AbstractAsync<T> {
    private final @Nullable T value;
    private final @Nullable Exception failure;

    Immediate(@Nullable T value, @Nullable Exception failure) {
        this.value = value;
        this.failure = failure;
    }

    @Override
    protected boolean advance(Waker waker) throws Exception {
        if (failure != null) {
            throw failure;
        }
        return READY;
    }

    @Override
    @SuppressWarnings("NullAway") // a value of type T, which may itself be nullable
    protected T value() {
        return value;
    }
}
