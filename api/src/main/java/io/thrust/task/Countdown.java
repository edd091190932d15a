package io.thrust.task;

import org.jspecify.annotations.Nullable;

/** Pending a given number of times, waking itself each time, then ready. */
public final class Countdown extends AbstractAsync<@Nullable Void> {
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
    protected boolean advance(Waker waker) {
        if (left == 0) {
            return READY;
        }
        left--;
        waker.wake();
        return PENDING;
    }

    @Override
    protected @Nullable Void value() {
        return null;
    }
}
