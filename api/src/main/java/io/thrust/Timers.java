package io.thrust;

import io.thrust.task.Async;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Waiting for time to pass, inside the tasks of an {@link EventLoop}.
 *
 * <p>Time is that of the loop's clock, which runs on evenly whatever happens to the clock on the wall. Nothing here is
 * ever early. It is late by what the poller rounds up, a millisecond at most on the backends that wait in milliseconds, and
 * by what the tasks take that are polled before. What is due at once is woken in the order of its times, and of equal times
 * in the order in which they were first waited for.
 */
public final class Timers {
    private Timers() {}

    /**
     * Waits for at least this long, counted from the first poll. Zero and negative durations wait for the next turn of
     * the loop; very long ones (over 146 years) for that long.
     */
    public static Async<@Nullable Void> sleep(Duration duration) {
        return Sleep.of(nanos(duration));
    }

    /**
     * Waits until this time of the loop's clock: a time of {@link EventLoop#nanoTime}, plus or minus some nanoseconds. If it
     * has passed already, this waits for the next turn of the loop. As times are compared by subtraction, what lies up to 292
     * years behind counts as passed; what lies over 146 years ahead is waited for that long.
     */
    public static Async<@Nullable Void> sleepUntil(long nanoTime) {
        return Sleep.until(nanoTime);
    }

    /**
     * Runs a computation for at most this long, counted from the first poll; then cancels it and fails with {@link
     * AsyncTimeoutException}. If the computation and the time are due at once, the computation wins.
     */
    public static <T extends @Nullable Object> Async<T> timeout(Duration duration, Async<T> async) {
        return new Timeout<>(duration, async);
    }

    /**
     * {@link #timeout(Duration, Async)} as an operator, for {@link Async#transform}: {@code
     * stream.read(buffer).transform(timeout(Duration.ofSeconds(5)))}.
     */
    public static <T extends @Nullable Object> UnaryOperator<Async<T>> timeout(Duration duration) {
        return async -> new Timeout<>(duration, async);
    }

    /** An interval of this period that catches up after missed ticks: {@link MissedTicks#BURST}. */
    public static Interval interval(Duration period) {
        return interval(period, MissedTicks.BURST);
    }

    /**
     * An interval, which starts with the first poll of its first tick.
     *
     * @param period longer than zero; very long ones count as 146 years
     */
    public static Interval interval(Duration period, MissedTicks missed) {
        return new Interval(period, missed);
    }

    /**
     * A timer that expires after this long, counted from now, and can be reset.
     *
     * @throws IllegalStateException if no loop is running on this thread
     */
    public static DeadlineTimer timer(Duration duration) {
        return new DeadlineTimer(EventLoop.current(), duration);
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
