package io.thrust.reactor;

import io.thrust.task.Waker;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The idle timeout of one registration. Progress notes the time of the reactor's present turn, no more; the one timer
 * looks at that note when it fires, and goes on for what is left. It is not queued while nobody waits.
 */
final class IdleTimer implements Waker {
    private static final int READ = 1;
    private static final int WRITE = 2;

    private final Reactor reactor;
    private final Registration registration;
    private final long nanos;
    private long lastProgress;

    /** The directions whose operation is to fail when it is polled next. */
    private int expired;

    private @Nullable Timer timer;

    IdleTimer(Reactor reactor, Registration registration, long nanos) {
        this.reactor = reactor;
        this.registration = registration;
        this.nanos = nanos;
    }

    void touch() {
        lastProgress = reactor.turnTime();
        expired = 0;
    }

    boolean isReadExpired() {
        return (expired & READ) != 0;
    }

    boolean isWriteExpired() {
        return (expired & WRITE) != 0;
    }

    /** An operation begins to wait. */
    void begin() {
        if (timer == null) {
            lastProgress = reactor.startTurnTime();
            arm();
        } else {
            lastProgress = reactor.turnTime();
        }
        expired = 0;
    }

    IdleTimeoutException late() {
        return new IdleTimeoutException(registration.source() + " was idle: nothing was read or written for "
                + Duration.ofNanos(nanos) + ", the idle timeout that was set for it");
    }

    private void arm() {
        timer = reactor.timers().add(TimerQueue.deadline(lastProgress, nanos), this);
    }

    void stop() {
        Timer timer = this.timer;
        this.timer = null;
        if (timer != null) {
            reactor.timers().cancel(timer);
        }
    }

    /** The timer is due. */
    @Override
    public void wake() {
        timer = null;
        if (!registration.isWaiting()) {
            return;
        }
        if (lastProgress + nanos - reactor.nanoTime() > 0) {
            arm();
            return;
        }
        // Who was woken meanwhile and not polled since is not late, and begins anew if it has to wait again.
        expired = (registration.isReaderWaiting() ? READ : 0) | (registration.isWriterWaiting() ? WRITE : 0);
        registration.wakeWaiting();
    }
}
