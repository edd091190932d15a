package io.thrust.task;

import org.jspecify.annotations.Nullable;

/** See {@link Task#join}. */
final class Join<T extends @Nullable Object> implements Async<T> {
    private final Task<T> task;
    private @Nullable Waker registered;
    private boolean ended;
    private @Nullable T result;

    Join(Task<T> task) {
        this.task = task;
    }

    @Override
    public boolean poll(Waker waker) throws Exception {
        if (!task.pollJoin(registered, waker)) {
            registered = waker;
            return PENDING;
        }
        ended = true;
        result = task.result();
        return READY;
    }

    @Override
    @SuppressWarnings("NullAway") // a value of type T, which may itself be nullable
    public T result() {
        if (!ended) {
            throw new IllegalStateException("not ready");
        }
        return result;
    }

    @Override
    public void cancel() {
        if (!ended) {
            ended = true;
            task.detach();
        }
    }
}
