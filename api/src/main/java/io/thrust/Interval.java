package io.thrust;

import io.thrust.reactor.TimerQueue;
import io.thrust.task.AbstractAsync;
import io.thrust.task.Async;
import io.thrust.task.Waker;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Ticks at a fixed rate: the first is due one period after the first poll of a {@link #tick}, each other one a period after
 * the one before was <em>due</em>, not taken, so that an interval does not drift. {@link MissedTicks} says what follows a
 * tick that is taken too late.
 *
 * <p>Belongs to the loop that polls it first. It needs no closing: the loop knows of it only while somebody waits for a tick.
 */
public final class Interval {
    private final long period;
    private final MissedTicks missed;
    private @Nullable Alarm alarm;

    Interval(Duration period, MissedTicks missed) {
        if (period.isNegative() || period.isZero()) {
            throw new IllegalArgumentException("the period is " + period + ", but must be longer than zero");
        }
        this.period = Math.min(Timers.nanos(period), TimerQueue.MOST_NANOS);
        this.missed = Objects.requireNonNull(missed, "missed");
    }

    /**
     * Waits for the next tick and takes it. The result is the time at which it was due, of the loop's clock: {@link
     * EventLoop#nanoTime} tells how late it is. One at a time may be under way. Cancelling it leaves the tick to the next.
     */
    public Async<Long> tick() {
        return new Tick();
    }

    private final class Tick extends AbstractAsync<Long> {
        private long due;

        @Override
        protected boolean advance(Waker waker) {
            Alarm alarm = Interval.this.alarm;
            if (alarm == null) {
                EventLoop loop = EventLoop.current();
                alarm = new Alarm(loop, TimerQueue.deadline(loop.nanoTime(), period));
                Interval.this.alarm = alarm;
            }
            if (!alarm.poll(this, waker)) {
                return PENDING;
            }
            due = alarm.deadline();
            alarm.move(missed.next(due, period, alarm.nanoTime()));
            return READY;
        }

        @Override
        protected Long value() {
            return due;
        }

        @Override
        protected void release() {
            if (alarm != null) {
                alarm.release(this);
            }
        }
    }
}
