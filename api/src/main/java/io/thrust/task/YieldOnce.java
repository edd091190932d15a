package io.thrust.task;

import org.jspecify.annotations.Nullable;

/** Pending once, having woken itself, then ready: lets other tasks, timers and I/O have a turn. */
public final class YieldOnce extends AbstractAsync<@Nullable Void> {
    private boolean yielded;

    /** Creates one that has not yielded yet. */
    public YieldOnce() {}

    @Override
    protected boolean advance(Waker waker) {
        if (yielded) {
            return READY;
        }
        yielded = true;
        waker.wake();
        return PENDING;
    }

    @Override
    protected @Nullable Void value() {
        return null;
    }
}
