package io.thrust;

import io.thrust.reactor.TimerQueue;
import io.thrust.task.AbstractAsync;
import io.thrust.task.Async;
import io.thrust.task.Waker;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A deadline that can be moved while somebody waits for it, such as the end of a connection on which nothing happens:
 *
 * <pre>{@code
 * DeadlineTimer idle = Timers.timer(Duration.ofSeconds(30));
 * Async.race(serve(stream, idle), idle.expired().then(none -> Async.failed(new IOException("idle"))));
 * // in serve, whenever something was read:
 * idle.reset(Duration.ofSeconds(30));
 * }</pre>
 *
 * <p>Belongs to its loop: all methods are called on the loop's thread. It needs no closing: the loop knows of it only while
 * somebody waits.
 */
public final class DeadlineTimer {
    private final EventLoop loop;
    private final Alarm alarm;

    DeadlineTimer(EventLoop loop, Duration duration) {
        this.loop = loop;
        this.alarm = new Alarm(loop, deadline(duration));
    }

    private long deadline(Duration duration) {
        return TimerQueue.deadline(loop.nanoTime(), Timers.nanos(duration));
    }

    /** The deadline, a time of the loop's clock: {@link EventLoop#nanoTime}. */
    public long deadline() {
        return alarm.deadline();
    }

    /** Whether the deadline has come. */
    public boolean isExpired() {
        return alarm.isDue();
    }

    /**
     * Moves the deadline to this far from now, sooner or later than it was, and also if it had expired; who waits goes on
     * to wait for the new one. Zero and negative durations mean now, very long ones (over 146 years) that long.
     */
    public void reset(Duration duration) {
        alarm.move(deadline(duration));
    }

    /**
     * Waits until the deadline has come, wherever it is moved meanwhile; ready at once if it has. One at a time may be
     * under way. Cancelling it leaves the deadline as it is.
     */
    public Async<@Nullable Void> expired() {
        return new Expired();
    }

    private final class Expired extends AbstractAsync<@Nullable Void> {
        @Override
        protected boolean advance(Waker waker) {
            return alarm.poll(this, waker);
        }

        @Override
        protected @Nullable Void value() {
            return null;
        }

        @Override
        protected void release() {
            alarm.release(this);
        }
    }
}
