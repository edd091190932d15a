package io.thrust;

import io.thrust.task.Async;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Waiting for time to pass, inside the tasks of an {@link EventLoop}. */
public final class Timers {
    private Timers() {}

    /**
     * Waits for at least this long, counted from the first poll. Zero and negative durations wait for the next turn of
     * the loop; very long ones (over 146 years) for that long.
     */
    public static Async<@Nullable Void> sleep(Duration duration) {
        return new Sleep(nanos(duration));
    }

    /**
     * Runs a computation for at most this long, counted from the first poll; then cancels it and fails with {@link
     * AsyncTimeoutException}. If the computation and the time are due at once, the computation wins.
     */
    public static <T extends @Nullable Object> Async<T> timeout(Duration duration, Async<T> async) {
        return new Timeout<>(duration, async);
    }

    /** Saturating. */
    static long nanos(Duration duration) {
        try {
            return duration.toNanos();
        } catch (ArithmeticException e) {
            return duration.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }
}
