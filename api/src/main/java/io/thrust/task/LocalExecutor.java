package io.thrust.task;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Polls tasks on one thread, and lets a {@link Parker} serve I/O and timers in between: after {@value #POLLS_PER_TURN}
 * polls of tasks or half a millisecond, whichever comes first (the clock is read every eighth poll at least), and while
 * no task is ready. Where serving them takes long though tasks are ready, these have sixteen times as long until the next
 * time, but eight milliseconds or 1,024 polls at most.
 *
 * <h2>Threads</h2>
 *
 * The executor belongs to the thread that first spawns a task, runs it, or {@linkplain #call calls} through it. Only
 * {@link #submit}, {@link #close}, {@link #isClosed} and {@link #awaitClosed} may be called from any thread; other calls from
 * another thread throw an {@link IllegalStateException} that names both. It starts no thread of its own.
 *
 * <h2>Endings</h2>
 *
 * {@link #run} returns when no task is left that was spawned or submitted, {@link #blockOn} when in addition its own
 * computation has ended; background tasks are not waited for and are cancelled then. {@link #close} cancels all tasks.
 */
public final class LocalExecutor implements AutoCloseable {
    /** The most polls of tasks between two looks at I/O and timers, as long as a look is short. */
    public static final int POLLS_PER_TURN = 64;

    private static final long FOREVER = -1;

    private final Parker parker;
    private final Turn turn;
    private final Budget budget = new Budget();
    private final RunQueue ready = new RunQueue();
    private final TaskList tasks = new TaskList();
    private final UnobservedFailures unobserved = new UnobservedFailures();
    private final Ownership ownership = new Ownership();
    private final Inbox inbox;
    private final CountDownLatch closed = new CountDownLatch(1);

    /** The task that is being polled. */
    private @Nullable TaskCell<?> polled;

    /**
     * Creates an executor.
     *
     * @param parker serves I/O and timers; it belongs to this executor from now on and is closed with it
     */
    public LocalExecutor(Parker parker) {
        this(parker, System::nanoTime);
    }

    /**
     * As {@link #LocalExecutor(Parker)}, with a clock of one's own, for tests.
     *
     * @param clock monotonic nanoseconds of any origin: it decides whether tasks have run long enough for I/O and timers to
     *     have a turn. One that stands still leaves that to the number of polls
     */
    public LocalExecutor(Parker parker, LongSupplier clock) {
        this.turn = new Turn(Objects.requireNonNull(clock, "clock"));
        this.parker = Objects.requireNonNull(parker, "parker");
        this.inbox = new Inbox(parker);
    }

    // ---- tasks

    /**
     * Adds a task that {@link #run} and {@link #blockOn} wait for. It is polled first when the executor runs next.
     *
     * @throws RejectedExecutionException if this executor is closed; the computation is cancelled
     */
    public <T extends @Nullable Object> Task<T> spawn(Async<T> async) {
        return spawn(async, new Task<>(null), TaskCell.COUNTED);
    }

    /** As {@link #spawn(Async)}, with a name for logs, errors and {@link #describeTasks}. */
    public <T extends @Nullable Object> Task<T> spawn(String name, Async<T> async) {
        return spawn(TaskOptions.named(name), async);
    }

    /** As {@link #spawn(Async)}, with a name, a priority, or in the background, as the options say. */
    public <T extends @Nullable Object> Task<T> spawn(TaskOptions options, Async<T> async) {
        return spawn(async, new Task<>(options.name()), options.flags());
    }

    /** As {@link #spawn(Async)}, but nobody waits for it: it is cancelled when {@link #run} or {@link #blockOn} ends. */
    public <T extends @Nullable Object> Task<T> spawnBackground(Async<T> async) {
        return spawn(async, new Task<>(null), 0);
    }

    /**
     * Returns a computation that ends when its body and all tasks that the body spawned into its scope have ended; see
     * {@link TaskScope} for what a failure and a cancellation do.
     *
     * @param body called once, at the first poll, which has to be on this executor; its result is that of the whole
     */
    public <T extends @Nullable Object> Async<T> scope(Function<? super TaskScope, ? extends Async<T>> body) {
        return TaskScope.over(this, body);
    }

    <T extends @Nullable Object> Task<T> spawn(Async<T> async, Task<T> task, int flags) {
        Objects.requireNonNull(async, "async");
        boolean outermost;
        try {
            outermost = ownership.enter();
        } catch (RejectedExecutionException e) {
            Quietly.cancel(async);
            throw e;
        }
        try {
            if (ownership.isClosing()) {
                Quietly.cancel(async);
                throw Ownership.rejected();
            }
            TaskCell<T> cell = new TaskCell<>(this, async, task, flags);
            tasks.add(cell);
            schedule(cell);
            return task;
        } finally {
            leave(outermost);
        }
    }

    /**
     * Adds a task from any thread. It counts as spawned once the executor's thread has taken it up.
     *
     * @return its outcome, a failure too, which is logged only if somebody else completed the future before. Cancelling the
     *     future cancels the task, on the executor's thread; a closed executor cancels the future. What depends on the future without an executor of its own runs on this executor's thread
     * @throws RejectedExecutionException if this executor is closed; the computation is cancelled
     */
    public <T extends @Nullable Object> CompletableFuture<T> submit(Async<T> async) {
        Objects.requireNonNull(async, "async");
        SubmittedTask<T> task = new SubmittedTask<>(this);
        submit(async, task, TaskCell.COUNTED);
        return task.future;
    }

    void cancelRemotely(Task<?> task) {
        Async<@Nullable Void> cancel = Async.lazy(() -> {
            task.cancel();
            return Async.ready(null);
        });
        try {
            submit(cancel, new Task<>(null), 0);
        } catch (RejectedExecutionException e) {
            // Closed: all tasks are cancelled in any case.
        }
    }

    private <T extends @Nullable Object> void submit(Async<T> async, Task<T> task, int flags) {
        TaskCell<T> cell = new TaskCell<>(this, async, task, flags);
        cell.enterRemoteQueue();
        if (!inbox.add(cell)) {
            Quietly.cancel(async);
            throw Ownership.rejected();
        }
    }

    /** What {@link #call} runs. */
    @FunctionalInterface
    public interface Call<T extends @Nullable Object> {
        T run() throws IOException;
    }

    /**
     * Runs this at once, for what the executor's thread opens outside of tasks: {@link #close} by another thread takes
     * effect before it or after it, never meanwhile. The executor belongs to the calling thread from now on, if it
     * belonged to none.
     *
     * @throws IllegalStateException if it belongs to another thread; the message names both
     * @throws RejectedExecutionException if this executor is closed
     */
    public <T extends @Nullable Object> T call(Call<T> call) throws IOException {
        boolean outermost = ownership.enter();
        try {
            if (ownership.isClosing()) {
                throw Ownership.rejected();
            }
            return call.run();
        } finally {
            leave(outermost);
        }
    }

    /** The number of tasks that have not ended, background tasks included. */
    public int taskCount() {
        ownership.ensureOwner();
        return tasks.count();
    }

    /**
     * Describes the tasks that have not ended for a log or a diagnosis, a line each, the youngest first: its name, its
     * priority, whether it is counted, and whether it is ready or waits. The form of the lines is no promise. On the
     * executor's thread: from another one {@link #submit} a call of this.
     */
    public List<String> describeTasks() {
        ownership.ensureOwner();
        List<String> lines = new ArrayList<>(tasks.count());
        for (TaskCell<?> cell = tasks.first(); cell != null; cell = cell.after) {
            lines.add(cell.describe(cell == polled));
        }
        return lines;
    }

    /** The budget of the task that is being polled; without limit between polls. For leaf operations. */
    public Budget budget() {
        return budget;
    }

    // ---- running

    /**
     * Polls tasks until none is left that was spawned or submitted, then cancels the background tasks. Returns as well
     * when the executor is closed.
     *
     * @throws IllegalStateException if called inside a task of this executor
     * @throws UncheckedIOException if the parker failed; the executor is closed then, as it is if the parker or the clock
     *     threw anything else, which is thrown as it is
     * @throws RejectedExecutionException if this executor was closed before
     */
    public void run() {
        enterLoop("run");
        @Nullable Budget before = budget.enter();
        try {
            while (runUntilEmpty(null)) {
                cancelAll();
            }
        } finally {
            Budget.leave(before);
            leave(true);
        }
    }

    /**
     * Polls this computation and all tasks until it has ended and none of the tasks is left that was spawned or
     * submitted, then cancels the background tasks.
     *
     * @return the result of the computation
     * @throws IllegalStateException if called inside a task of this executor
     * @throws CancellationException if the executor was closed meanwhile
     * @throws RejectedExecutionException if it was closed before; the computation is cancelled
     * @throws IOException if the computation threw it; it, unchecked exceptions and errors are thrown as they are, after
     *     all tasks were cancelled
     * @throws CompletionException if the computation threw another checked exception, the cause
     */
    public <T extends @Nullable Object> T blockOn(Async<T> async) throws IOException {
        Objects.requireNonNull(async, "async");
        try {
            enterLoop("blockOn");
        } catch (RejectedExecutionException e) {
            Quietly.cancel(async);
            throw e;
        }
        @Nullable Budget before = budget.enter();
        try {
            Task<T> main = spawn(async);
            while (runUntilEmpty(main)) {
                cancelAll();
            }
            if (!main.isDone()) {
                main.cancel();
            }
            return main.result();
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new CompletionException(e);
        } finally {
            Budget.leave(before);
            leave(true);
        }
    }

    /**
     * Polls tasks that are ready, for as long as is fair, then serves I/O and timers: for embedders with a loop of their own.
     *
     * @param maxNanos the longest time to wait if no task is ready; 0 does not wait, -1 sets no limit. If this turn ended
     *     the last task that {@link #run} would wait for, it does not wait either
     * @return whether a task is left that {@link #run} would wait for
     */
    public boolean turn(long maxNanos) {
        if (maxNanos < FOREVER) {
            throw new IllegalArgumentException(
                    "maxNanos is " + maxNanos + ", but must be 0 or more, or -1 for no limit");
        }
        enterLoop("turn");
        @Nullable Budget before = budget.enter();
        try {
            takeRemote();
            boolean counted = tasks.countedCount() > 0;
            pollReady();
            // Who asked for the end of the last task is told of it now, not after a wait for nothing.
            park(counted && tasks.countedCount() == 0 ? 0 : maxNanos);
            takeRemote();
            return tasks.countedCount() > 0;
        } finally {
            Budget.leave(before);
            leave(true);
        }
    }

    /** Returns whether there are tasks to be cancelled before the run ends. */
    private boolean runUntilEmpty(@Nullable Task<?> main) {
        takeRemote();
        while (tasks.countedCount() > 0) {
            if (ownership.isClosing()) {
                return false;
            }
            pollReady();
            if (main != null && main.hasFailed()) {
                return tasks.count() > 0;
            }
            if (tasks.countedCount() == 0 && inbox.isEmpty()) {
                break;
            }
            park(FOREVER);
            takeRemote();
        }
        return tasks.count() > 0;
    }

    private void pollReady() {
        try {
            pollWhileFair();
        } catch (Throwable t) {
            // The clock's: nothing that a task throws comes here.
            close();
            throw t;
        } finally {
            budget.lift();
        }
    }

    private void pollWhileFair() {
        RunQueue ready = this.ready;
        Turn turn = this.turn;
        turn.begin();
        int polls = 0;
        int nextCheck = 1;
        TaskCell<?> cell;
        while ((cell = ready.take()) != null) {
            poll(cell);
            if (++polls == nextCheck) {
                if (ready.isEmpty() || turn.isOver(polls)) {
                    break;
                }
                nextCheck = Turn.nextCheck(polls);
            }
        }
    }

    private <T extends @Nullable Object> void poll(TaskCell<T> cell) {
        cell.flags &= ~TaskCell.READY;
        Async<T> async = cell.async;
        if (async == null) {
            return;
        }
        budget.refill();
        polled = cell;
        Object outcome;
        try {
            if (async.poll(cell) == Async.PENDING) {
                polled = null;
                if ((cell.flags & TaskCell.CANCEL_AFTER_POLL) != 0) {
                    cancelInside(cell);
                }
                return;
            }
            outcome = async.result();
        } catch (Throwable t) {
            outcome = new Failure(t, nameOf(cell));
        }
        polled = null;
        finish(cell, outcome);
    }

    private static @Nullable String nameOf(TaskCell<?> cell) {
        Task<?> task = cell.task;
        return task == null ? null : task.name();
    }

    private void park(long maxNanos) {
        try {
            if (maxNanos == 0 || !ready.isEmpty()) {
                parker.park(0);
                return;
            }
            inbox.park(maxNanos, ownership);
        } catch (IOException e) {
            close();
            throw new UncheckedIOException("the loop cannot wait for I/O any more and was closed", e);
        } catch (Throwable t) {
            // Its tasks could never be woken again: they are cancelled rather than left behind.
            close();
            throw t;
        }
    }

    private void takeRemote() {
        if (inbox.isEmpty()) {
            return;
        }
        TaskCell<?> cell = inbox.takeAll();
        while (cell != null) {
            TaskCell<?> next = cell.nextRemote;
            cell.nextRemote = null;
            cell.leaveRemoteQueue();
            Task<?> task = cell.task;
            if (!TaskList.contains(cell) && task != null) {
                tasks.add(cell);
                if (task.isGivenUp()) {
                    cancelInside(cell);
                }
            }
            schedule(cell);
            cell = next;
        }
    }

    // ---- wakers

    boolean isOwner(Thread thread) {
        return ownership.isOwner(thread);
    }

    void schedule(TaskCell<?> cell) {
        if ((cell.flags & TaskCell.READY) == 0 && cell.async != null) {
            cell.flags |= TaskCell.READY;
            ready.add(cell);
        }
    }

    void scheduleRemotely(TaskCell<?> cell) {
        inbox.add(cell);
    }

    // ---- endings

    private <T extends @Nullable Object> void finish(TaskCell<T> cell, @Nullable Object outcome) {
        Task<T> task = cell.end();
        tasks.remove(cell);
        hand(cell, task, outcome);
    }

    private static <T extends @Nullable Object> void hand(
            TaskCell<T> cell, @Nullable Task<T> task, @Nullable Object outcome) {
        if (task != null) {
            try {
                task.finish(cell, outcome);
            } catch (Throwable t) {
                // A waker that is not ours threw: it is told of, and harms no other task.
                Failure.log("waking whoever joins a task failed", t);
            }
        }
    }

    <T extends @Nullable Object> void cancel(TaskCell<T> cell) {
        boolean outermost;
        try {
            outermost = ownership.enter();
        } catch (RejectedExecutionException e) {
            // Whoever closes this executor cancels all tasks, on another thread perhaps.
            return;
        }
        try {
            cancelInside(cell);
        } finally {
            leave(outermost);
        }
    }

    private <T extends @Nullable Object> void cancelInside(TaskCell<T> cell) {
        Async<T> async = cell.async;
        if (async == null) {
            return;
        }
        if (cell == polled) {
            cell.flags |= TaskCell.CANCEL_AFTER_POLL;
            return;
        }
        // Ended first: what the cancellation wakes or cancels in turn finds this task gone.
        Task<T> task = cell.end();
        tasks.remove(cell);
        Quietly.cancel(async);
        hand(cell, task, Failure.cancellation(task == null ? null : task.name()));
    }

    /** Cancels all tasks, those that a cancellation spawns included. */
    private void cancelAll() {
        TaskCell<?> cell;
        while ((cell = tasks.first()) != null) {
            cancelInside(cell);
        }
    }

    void keepUntilObserved(Failure failure) {
        unobserved.keep(failure);
    }

    /** Whether {@link #close} was called. */
    public boolean isClosed() {
        return ownership.isClosing();
    }

    /**
     * Cancels all tasks and closes the parker; further tasks are rejected. If the executor's thread is inside {@link
     * #run}, {@link #blockOn} or {@link #turn}, it does so on its way out, soon, and this returns without waiting for it:
     * see {@link #awaitClosed}. Otherwise the calling thread does it. Closing a closed executor does nothing.
     */
    @Override
    public void close() {
        switch (ownership.close()) {
            case WAKE -> parker.unpark();
            case RELEASE -> shutdown();
            case NOTHING -> {}
        }
    }

    /**
     * Waits until everything is released after {@link #close}.
     *
     * @return false if the time passed before
     * @throws IllegalStateException if called inside a task, or while this thread releases everything: it would wait for
     *     itself
     */
    public boolean awaitClosed(long timeout, TimeUnit unit) throws InterruptedException {
        if (ownership.isInside()) {
            throw new IllegalStateException("awaitClosed was called on the loop's own thread \""
                    + Thread.currentThread().getName() + "\", inside the loop, which would wait for itself;"
                    + " call it from another thread, or after run or blockOn has returned");
        }
        return closed.await(timeout, unit);
    }

    private void shutdown() {
        // The closing thread may be another one than the owner's; nobody else is inside, nor can come in.
        @Nullable Thread before = ownership.seize();
        try {
            parker.closing();
        } finally {
            try {
                cancelAll();
                cancelSubmitted(inbox.close());
                cancelAll();
            } finally {
                try {
                    parker.closed();
                } finally {
                    unobserved.logAll();
                    ownership.giveBack(before);
                    closed.countDown();
                }
            }
        }
    }

    private void cancelSubmitted(@Nullable TaskCell<?> cell) {
        while (cell != null) {
            TaskCell<?> next = cell.nextRemote;
            cell.nextRemote = null;
            cell.leaveRemoteQueue();
            cancelInside(cell);
            cell = next;
        }
    }

    // ---- guards

    private void enterLoop(String method) {
        if (ownership.isInside()) {
            throw new IllegalStateException(method + " was called inside a task of the same loop, which would wait for"
                    + " itself; return an Async from the task instead");
        }
        ownership.enter();
    }

    private void leave(boolean outermost) {
        if (outermost && ownership.leave()) {
            shutdown();
        }
    }
}
