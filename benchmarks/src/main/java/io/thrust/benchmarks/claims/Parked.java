package io.thrust.benchmarks.claims;

import io.thrust.task.Async;
import io.thrust.task.Waker;
import org.jspecify.annotations.Nullable;

/** Waits for ever, with the one field that whatever can be woken has. */
final class Parked implements Async<@Nullable Void> {
    @SuppressWarnings({"unused", "FieldCanBeLocal"})
    private @Nullable Waker waker;

    @Override
    public boolean poll(Waker waker) {
        this.waker = waker;
        return PENDING;
    }

    @Override
    public @Nullable Void result() {
        return null;
    }
}
