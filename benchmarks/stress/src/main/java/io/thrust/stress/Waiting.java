package io.thrust.stress;

import io.thrust.task.Async;
import io.thrust.task.Waker;
import org.jspecify.annotations.Nullable;

/** Pending for ever; counts, for an arbiter. */
final class Waiting implements Async<@Nullable Void> {
    private volatile @Nullable Waker waker;
    int polls;
    int cancels;

    @Override
    public boolean poll(Waker waker) {
        this.waker = waker;
        polls++;
        return PENDING;
    }

    void wake() {
        Waker waker = this.waker;
        if (waker != null) {
            waker.wake();
        }
    }

    @Override
    public @Nullable Void result() {
        return null;
    }

    @Override
    public void cancel() {
        cancels++;
    }
}
