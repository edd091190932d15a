package io.thrust;

import io.thrust.reactor.Reactor;
import io.thrust.reactor.Timer;
import io.thrust.task.Budget;
import io.thrust.task.Waker;
import org.jspecify.annotations.Nullable;

/**
 * A time of a loop's clock that can be moved, and the operation that waits for it, one at most. The loop has a timer of it
 * only while somebody waits.
 */
final class Alarm {
    private final Reactor reactor;
    private final Budget budget;
    private long deadline;
    private @Nullable Object operation;
    private @Nullable Timer timer;

    Alarm(EventLoop loop, long deadline) {
        this.reactor = loop.reactor();
        this.budget = loop.executor().budget();
        this.deadline = deadline;
    }

    long deadline() {
        return deadline;
    }

    long nanoTime() {
        return reactor.nanoTime();
    }

    boolean isDue() {
        return nanoTime() - deadline >= 0;
    }

    /** Whether the time has come; if not, the waker is woken when it may have. */
    boolean poll(Object operation, Waker waker) {
        if (this.operation != null && this.operation != operation) {
            throw new IllegalStateException(
                    "another wait is under way for the same timer; wait for it or cancel it first: there is one at a time");
        }
        this.operation = operation;
        if (!isDue()) {
            if (timer != null && timer.isPending()) {
                timer.setWaker(waker);
            } else {
                timer = reactor.timers().add(deadline, waker);
            }
            return false;
        }
        if (!budget.take(waker)) {
            return false;
        }
        release(operation);
        return true;
    }

    /** Frees the place of this operation, if it has it. */
    void release(Object operation) {
        if (this.operation == operation) {
            this.operation = null;
            if (timer != null) {
                reactor.timers().cancel(timer);
                timer = null;
            }
        }
    }

    /** Who waits goes on to wait for this time. */
    void move(long deadline) {
        this.deadline = deadline;
        if (timer != null) {
            reactor.timers().move(timer, deadline);
        }
    }
}
