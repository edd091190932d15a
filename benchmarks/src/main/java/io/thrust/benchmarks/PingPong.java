package io.thrust.benchmarks;

import io.thrust.task.Async;
import io.thrust.task.Waker;
import org.jspecify.annotations.Nullable;

/** Wakes the other one at each poll, a number of times. */
final class PingPong implements Async<@Nullable Void> {
    @Nullable PingPong other;

    private final int rounds;
    private int polls;
    private @Nullable Waker waker;

    PingPong(int rounds) {
        this.rounds = rounds;
    }

    @Override
    public boolean poll(Waker waker) {
        this.waker = waker;
        PingPong other = this.other;
        if (other != null && other.waker != null) {
            other.waker.wake();
        }
        return polls++ == rounds ? READY : PENDING;
    }

    @Override
    public @Nullable Void result() {
        return null;
    }
}
