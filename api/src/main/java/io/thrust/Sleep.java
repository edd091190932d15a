package io.thrust;

import io.thrust.reactor.Reactor;
import io.thrust.reactor.Timer;
import io.thrust.reactor.TimerQueue;
import io.thrust.task.Async;
import io.thrust.task.Waker;
import org.jspecify.annotations.Nullable;

/** See {@link Timers#sleep}. */
final class Sleep implements Async<@Nullable Void> {
    private final long nanos;
    private @Nullable Reactor reactor;
    private @Nullable Timer timer;

    Sleep(long nanos) {
        this.nanos = nanos;
    }

    @Override
    public boolean poll(Waker waker) {
        Timer timer = this.timer;
        if (timer == null) {
            Reactor reactor = EventLoop.current().reactor();
            this.reactor = reactor;
            this.timer = reactor.timers().add(TimerQueue.deadline(reactor.nanoTime(), nanos), waker);
            return PENDING;
        }
        if (timer.isPending()) {
            timer.setWaker(waker);
            return PENDING;
        }
        return READY;
    }

    @Override
    public @Nullable Void result() {
        return null;
    }

    @Override
    public void cancel() {
        if (timer != null && reactor != null) {
            reactor.timers().cancel(timer);
        }
    }
}
