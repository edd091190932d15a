package io.thrust.task;

import org.jspecify.annotations.Nullable;

/** Pending a given number of times, waking itself each time, then ready. */
public final class Countdown implements Async<@Nullable Void> {
    private int left;

    /**
     * Creates one.
     *
     * @param polls how often it is pending, at least 0
     */
    public Countdown(int polls) {
        if (polls < 0) {
            throw new IllegalArgumentException("polls is " + polls + ", but must be at least 0");
        }
        left = polls;
    }

    @Override
    public boolean poll(Waker waker) {
        if (left == 0) {
            return READY;
        }
        left--;
        waker.wake();
        return PENDING;
    }

    @Override
    public @Nullable Void result() {
        return null;
    }
}
