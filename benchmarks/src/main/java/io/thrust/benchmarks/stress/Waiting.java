package io.thrust.benchmarks.stress;

import io.thrust.task.Async;
import io.thrust.task.Waker;
import org.jspecify.annotations.Nullable;

/** Pending for ever; counts. */
final class Waiting implements Async<@Nullable Void> {
    private volatile @Nullable Waker waker;
    volatile int polls;
    volatile int cancels;

    @Override
    public boolean poll(Waker waker) {
        this.waker = waker;
        polls = polls + 1;
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
        cancels = cancels + 1;
    }
}
