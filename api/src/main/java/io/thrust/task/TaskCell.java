package io.thrust.task;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A task as the executor sees it, and the waker of that task. It lets go of everything when the task ends, since wakers
 * may be kept for ever.
 */
final class TaskCell<T extends @Nullable Object> implements Waker {
    /** In {@link #remote}: in the remote queue. */
    private static final int QUEUED = 1;
    /** In {@link #remote}: the task has ended. */
    private static final int ENDED = 2;

    /** In {@link #flags}: in the ready queue. */
    static final int READY = 1;
    /** In {@link #flags}: counts for the end of {@code run}. */
    static final int COUNTED = 2;
    /** In {@link #flags}: in the executor's list of tasks. */
    static final int LISTED = 4;
    /** In {@link #flags}: to be cancelled when the present poll returns. */
    static final int CANCEL_AFTER_POLL = 8;
    /** In {@link #flags}: polled first, or last; see {@link Priority}. */
    static final int HIGH = 16;

    static final int LOW = 32;

    private static final VarHandle REMOTE;

    static {
        try {
            REMOTE = MethodHandles.lookup().findVarHandle(TaskCell.class, "remote", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final LocalExecutor executor;

    /** Null once the task has ended, as {@link #task} is. */
    @Nullable Async<T> async;

    @Nullable Task<T> task;

    /** Links of the ready queue, of the remote queue, and of the list of all tasks. */
    @Nullable TaskCell<?> nextReady;

    @Nullable TaskCell<?> nextRemote;

    @Nullable TaskCell<?> before;

    @Nullable TaskCell<?> after;

    /** Written by the executor's thread only. */
    int flags;

    /** Written by any thread. */
    private volatile int remote;

    TaskCell(LocalExecutor executor, Async<T> async, Task<T> task, int flags) {
        this.executor = executor;
        this.async = async;
        this.task = task;
        this.flags = flags;
        task.attach(this);
    }

    @SuppressWarnings("NullAway") // never woken nor polled
    private TaskCell() {
        executor = null;
    }

    static TaskCell<?> sentinel() {
        return new TaskCell<>();
    }

    @Override
    public void wake() {
        if (executor.isOwner(Thread.currentThread())) {
            executor.schedule(this);
        } else if (enterRemoteQueue()) {
            executor.scheduleRemotely(this);
        }
    }

    /** Whether the caller is the one to add this cell to the remote queue. */
    boolean enterRemoteQueue() {
        // A read-modify-write even if the bit is set: it hands over what the waking thread wrote before.
        return (int) REMOTE.getAndBitwiseOr(this, QUEUED) == 0;
    }

    /** By the executor's thread, before it looks at what the waking thread wrote. */
    void leaveRemoteQueue() {
        REMOTE.getAndBitwiseAnd(this, ~QUEUED);
    }

    /** A line for a diagnosis. */
    String describe(boolean isPolled) {
        Task<T> task = this.task;
        String name = task == null || task.name() == null ? "(no name)" : "\"" + task.name() + "\"";
        String priority = (flags & HIGH) != 0 ? "high" : (flags & LOW) != 0 ? "low" : "normal";
        String state = isPolled ? "running" : (flags & READY) != 0 ? "ready" : "waiting";
        Async<T> async = this.async;
        return name + ", " + priority + ", " + ((flags & COUNTED) != 0 ? "counted" : "background") + ", " + state + ", "
                + (async == null ? "ended" : async.getClass().getName());
    }

    /** Ends the task: from now on waking does nothing. */
    @Nullable Task<T> end() {
        Task<T> task = this.task;
        async = null;
        this.task = null;
        // No read-modify-write: that it is queued need not be kept, as whoever wakes it from now on finds it not idle.
        REMOTE.setRelease(this, ENDED);
        return task;
    }
}
