package io.thrust.task;

import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * A handle on a spawned computation. Belongs to the executor's thread, as the task itself does.
 *
 * <p>What a task throws reaches its handle: {@link #join}, {@link #result}. A failure that nobody asked for is logged
 * (logger {@code io.thrust.task}) at once if the handle was {@linkplain #detach detached}, else when the executor is
 * closed, or when too many of them (64) wait for that.
 *
 * @param <T> the type of the result
 */
public class Task<T extends @Nullable Object> {
    private static final Object RUNNING = new Object();
    private static final Object GONE = new Object();
    private static final Waker DETACHED = () -> {};

    /** Null once the task has ended. */
    private @Nullable TaskCell<T> cell;

    /** {@link #RUNNING}, the result, a {@link Failure}, or {@link #GONE} after a detached result was disposed of. */
    private @Nullable Object outcome = RUNNING;

    /** Whom to wake at the end, or {@link #DETACHED}; stays after the end, as that join is the one to take the result. */
    private @Nullable Waker joiner;

    /** Whether somebody has the result, whose it is then. */
    private boolean taken;

    private final @Nullable String name;

    Task(@Nullable String name) {
        this.name = name;
    }

    /** The name that it was spawned with, or null. */
    public final @Nullable String name() {
        return name;
    }

    final void attach(TaskCell<T> cell) {
        this.cell = cell;
    }

    /** Whether the task has ended: with a result, by a failure, or cancelled. */
    public final boolean isDone() {
        return outcome != RUNNING;
    }

    /**
     * Whether the task was cancelled before it had ended otherwise. One that throws a {@link CancellationException}, as of
     * another task that it joined, has failed.
     */
    public final boolean isCancelled() {
        return outcome instanceof Failure failure && failure.isCancellation;
    }

    final boolean hasFailed() {
        return outcome instanceof Failure;
    }

    /**
     * Cancels the task unless it has ended: its computation is cancelled, now, or right after the poll that this is
     * called from; whoever joins it gets a {@link CancellationException}.
     */
    public final void cancel() {
        TaskCell<T> cell = this.cell;
        if (cell != null) {
            cell.executor.cancel(cell);
        }
    }

    /**
     * Returns a computation that waits for the end of this task and has its result, or throws what it threw. One at a
     * time may be under way. Cancelling it detaches the task: it runs on.
     *
     * @throws IllegalStateException if this task was detached
     */
    public final Async<T> join() {
        if (joiner == DETACHED) {
            throw new IllegalStateException("the task was detached and cannot be joined");
        }
        return new Join<>(this);
    }

    /**
     * The result of a task that has ended.
     *
     * @throws IllegalStateException if it has not ended, or was detached
     * @throws CancellationException if it was cancelled
     * @throws Exception what it threw
     */
    public final T result() throws Exception {
        Object outcome = this.outcome;
        if (outcome == RUNNING || outcome == GONE) {
            throw new IllegalStateException(
                    outcome == RUNNING ? "the task has not ended yet" : "the task was detached, its result is gone");
        }
        if (outcome instanceof Failure failure) {
            failure.observed = true;
            throw failure.asException();
        }
        taken = true;
        return value(outcome);
    }

    /**
     * Says that nobody will ask for the outcome: the task runs on, a result that is {@link AutoCloseable} and that
     * nobody took is closed, and a failure is logged at once. A join that is under way fails.
     */
    public final void detach() {
        Waker joiner = this.joiner;
        this.joiner = DETACHED;
        if (outcome != RUNNING) {
            dispose();
        } else if (joiner != DETACHED) {
            Quietly.wake(joiner);
        }
    }

    /** A join is given up: nobody else's, and the last one's outcome is disposed of. */
    final void cancelJoin(@Nullable Waker registered) {
        if (joiner == registered) {
            joiner = DETACHED;
            if (outcome != RUNNING) {
                dispose();
            }
        }
    }

    /** Whether it has a result that nobody has taken or given up. */
    final boolean hasFreeResult() {
        return !taken && outcome != RUNNING && outcome != GONE && !(outcome instanceof Failure);
    }

    /** Whether nobody wants the outcome any more; asked before the first poll of a submitted task. */
    boolean isGivenUp() {
        return false;
    }

    /** Called once, by the executor. */
    void finish(TaskCell<T> cell, @Nullable Object outcome) {
        this.cell = null;
        this.outcome = outcome;
        Waker joiner = this.joiner;
        if (joiner == DETACHED) {
            dispose();
            return;
        }
        if (outcome instanceof Failure failure && !failure.isCancellation) {
            cell.executor.keepUntilObserved(failure);
        }
        Quietly.wake(joiner);
    }

    private void dispose() {
        Object outcome = this.outcome;
        if (outcome instanceof Failure failure) {
            failure.log();
        } else if (!taken) {
            Quietly.close(outcome);
        }
        this.outcome = GONE;
    }

    /** Registers whom to wake; true if the task has ended already. */
    final boolean pollJoin(@Nullable Waker before, Waker waker) {
        if (outcome != RUNNING && joiner != DETACHED) {
            return true;
        }
        Waker present = joiner;
        if (present != null && present != before) {
            throw new IllegalStateException(
                    present == DETACHED
                            ? "the task was detached and cannot be joined"
                            : "the task is being joined already");
        }
        joiner = waker;
        return false;
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // a value of type T, which may itself be nullable
    private T value(@Nullable Object outcome) {
        return (T) outcome;
    }

    /** Its name, if it has one, and whether it runs, or how it ended. */
    @Override
    public final String toString() {
        Object outcome = this.outcome;
        String state = outcome == RUNNING
                ? "running"
                : outcome == GONE ? "ended" : isCancelled() ? "cancelled" : hasFailed() ? "failed" : "done";
        return (name == null ? "task" : "task \"" + name + "\"") + " (" + state + ")";
    }
}
