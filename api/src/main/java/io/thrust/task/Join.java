package io.thrust.task;

import org.jspecify.annotations.Nullable;

/** See {@link Task#join}. */
final class Join<T extends @Nullable Object> implements Async<T> {
    private final Task<T> task;
    private @Nullable Waker registered;
    private boolean ended;
    private boolean hasResult;
    private @Nullable T result;

    Join(Task<T> task) {
        this.task = task;
    }

    @Override
    public boolean poll(Waker waker) throws Exception {
        // Until it is known better: an exception ends it, one that refuses it included.
        ended = true;
        if (!task.pollJoin(registered, waker)) {
            ended = false;
            registered = waker;
            return PENDING;
        }
        result = task.result();
        hasResult = true;
        return READY;
    }

    @Override
    @SuppressWarnings("NullAway") // a value of type T, which may itself be nullable
    public T result() {
        if (!hasResult) {
            throw new IllegalStateException("not ready");
        }
        return result;
    }

    @Override
    public void cancel() {
        if (!ended) {
            ended = true;
            task.cancelJoin(registered);
        }
    }
}
