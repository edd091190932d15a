package io.thrust.task;

import io.thrust.log.Log;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** What a task threw. */
final class Failure {
    private static final Log LOG = new Log("io.thrust.task");

    final Throwable cause;
    private final @Nullable String taskName;
    boolean observed;

    Failure(Throwable cause) {
        this(cause, null);
    }

    Failure(Throwable cause, @Nullable String taskName) {
        this.cause = cause;
        this.taskName = taskName;
    }

    /** Returns an exception to throw; an {@link Error} is thrown as it is, a throwable of neither kind is wrapped. */
    Exception asException() {
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof Exception exception ? exception : new CompletionException(cause);
    }

    /** Logs it, once, unless somebody saw it. */
    void log() {
        if (!observed) {
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
