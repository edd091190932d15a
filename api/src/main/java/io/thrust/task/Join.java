package io.thrust.task;

import org.jspecify.annotations.Nullable;

/** See {@link Task#join}. */
final class Join<T extends @Nullable Object> extends AbstractAsync<T> {
    private final Task<T> task;
    private @Nullable Waker registered;
    private @Nullable T result;

    Join(Task<T> task) {
        this.task = task;
    }

    @Override
    protected boolean advance(Waker waker) throws Exception {
        if (!task.pollJoin(registered, waker)) {
            registered = waker;
            return PENDING;
        }
        registered = null;
        result = task.result();
        return READY;
    }

    @Override
    @SuppressWarnings("NullAway") // a value of type T, which may itself be nullable
    protected T value() {
        return result;
    }

    @Override
    protected void release() {
        Waker registered = this.registered;
        this.registered = null;
        task.cancelJoin(registered);
    }
}
