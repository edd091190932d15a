package io.thrust.task;

import io.thrust.log.Log;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** What a task threw. */
final class Failure {
    private static final Log LOG = new Log("io.thrust.task");

    final Throwable cause;
    private final @Nullable String taskName;

    /** Whether the task threw nothing, but was cancelled: whoever did that knows. */
    final boolean isCancellation;

    boolean observed;

    Failure(Throwable cause) {
        this(cause, null, false);
    }

    Failure(Throwable cause, @Nullable String taskName) {
        this(cause, taskName, false);
    }

    private Failure(Throwable cause, @Nullable String taskName, boolean isCancellation) {
        this.cause = cause;
        this.taskName = taskName;
        this.isCancellation = isCancellation;
    }

    /** Of a task that was cancelled. */
    static Failure cancellation(@Nullable String taskName) {
        String what = taskName == null ? "the task was cancelled" : "the task \"" + taskName + "\" was cancelled";
        return new Failure(new CancellationException(what), taskName, true);
    }

    /** Returns an exception to throw; an {@link Error} is thrown as it is, a throwable of neither kind is wrapped. */
    Exception asException() {
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof Exception exception ? exception : new CompletionException(cause);
    }

    /** Logs it, once, unless somebody saw it, or cancelled the task. */
    void log() {
        if (!observed && !isCancellation) {
            observed = true;
            log(
                    (taskName == null ? "a task" : "the task \"" + taskName + "\"")
                            + " failed, and nobody asked for its outcome",
                    cause);
        }
    }

    static void log(String what, Throwable thrown) {
        LOG.error(() -> what, thrown);
    }
}
