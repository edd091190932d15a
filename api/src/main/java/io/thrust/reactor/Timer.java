package io.thrust.reactor;

import io.thrust.task.Waker;
import org.jspecify.annotations.Nullable;

/** A deadline at which a waker is woken, once; see {@link TimerQueue}. */
public final class Timer {
    static final int NOT_QUEUED = -1;

    long deadline;
    long sequence;
    /** Where in the heap. */
    int index = NOT_QUEUED;

    @Nullable Waker waker;

    Timer() {}

    /** Whether the deadline is still ahead: neither fired nor cancelled. */
    public boolean isPending() {
        return index != NOT_QUEUED;
    }

    /** Replaces whom to wake; does nothing once it is no longer pending. */
    public void setWaker(Waker waker) {
        if (index != NOT_QUEUED) {
            this.waker = waker;
        }
    }
}
