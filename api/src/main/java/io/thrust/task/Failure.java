package io.thrust.task;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** What a task threw. */
final class Failure {
    private static final Logger LOGGER = System.getLogger("io.thrust.task");

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

    /** Whatever the logger does: one that fails, as where it may open no file, ends no loop. */
    static void log(String what, Throwable thrown) {
        try {
            LOGGER.log(Level.ERROR, what, thrown);
        } catch (Throwable t) {
            System.err.println("io.thrust.task: " + what + ": " + thrown + "; it could not be logged: " + t);
        }
    }
}
