package io.thrust.task;

import org.jspecify.annotations.Nullable;

/**
 * What keeps one task from holding a loop for ever: each poll of a task has {@link #UNITS} units, every operation that
 * succeeds at once and every step of a loop takes one, and at zero the operation wakes its own task and is pending, so
 * that other tasks, timers and I/O have their turn. Belongs to the thread of its executor.
 */
public final class Budget {
    /** The units of one poll of a task. */
    public static final int UNITS = 128;

    private static final ThreadLocal<@Nullable Budget> CURRENT = new ThreadLocal<>();
    private static final int UNLIMITED = Integer.MAX_VALUE;

    private int left = UNLIMITED;

    Budget() {}

    /** The budget of the executor that runs on this thread; without one, a new budget without limit. */
    public static Budget current() {
        Budget budget = CURRENT.get();
        return budget == null ? new Budget() : budget;
    }

    /**
     * Takes one unit, on behalf of an operation that is about to be tried.
     *
     * @return false if none is left: the waker was woken, and the operation returns {@link Async#PENDING} without having
     *     done anything
     */
    public boolean take(Waker waker) {
        int left = this.left;
        if (left == 0) {
            waker.wake();
            return false;
        }
        if (left != UNLIMITED) {
            this.left = left - 1;
        }
        return true;
    }

    /** Gives back the unit of an operation that turned out to be pending. */
    public void giveBack() {
        if (left != UNLIMITED) {
            left++;
        }
    }

    /** At the start of a poll of a task. */
    void refill() {
        left = UNITS;
    }

    /** When the executor polls no task. */
    void lift() {
        left = UNLIMITED;
    }

    /** Makes this the budget of the present thread, and returns the one before. */
    @Nullable Budget enter() {
        Budget before = CURRENT.get();
        CURRENT.set(this);
        return before;
    }

    static void leave(@Nullable Budget before) {
        if (before == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(before);
        }
    }
}
