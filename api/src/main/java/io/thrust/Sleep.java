package io.thrust;

import io.thrust.reactor.Reactor;
import io.thrust.reactor.Timer;
import io.thrust.reactor.TimerQueue;
import io.thrust.task.AbstractAsync;
import io.thrust.task.Waker;
import org.jspecify.annotations.Nullable;

/** See {@link Timers#sleep} and {@link Timers#sleepUntil}. */
final class Sleep extends AbstractAsync<@Nullable Void> {
    private final long nanos;
    /** Whether the nanoseconds are a time of the loop's clock, not a distance. */
    private final boolean until;

    private @Nullable Reactor reactor;
    private @Nullable Timer timer;

    private Sleep(long nanos, boolean until) {
        this.nanos = nanos;
        this.until = until;
    }

    static Sleep of(long nanos) {
        return new Sleep(nanos, false);
    }

    static Sleep until(long nanoTime) {
        return new Sleep(nanoTime, true);
    }

    @Override
    protected boolean advance(Waker waker) {
        Timer timer = this.timer;
        if (timer == null) {
            Reactor reactor = EventLoop.current().reactor();
            this.reactor = reactor;
            long now = reactor.nanoTime();
            this.timer = reactor.timers().add(TimerQueue.deadline(now, until ? nanos - now : nanos), waker);
            return PENDING;
        }
        if (timer.isPending()) {
            timer.setWaker(waker);
            return PENDING;
        }
        return READY;
    }

    @Override
    protected @Nullable Void value() {
        return null;
    }

    @Override
    protected void release() {
        if (timer != null && reactor != null) {
            reactor.timers().cancel(timer);
        }
    }
}
