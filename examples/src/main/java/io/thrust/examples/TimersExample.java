package io.thrust.examples;

import io.thrust.AsyncTimeoutException;
import io.thrust.DeadlineTimer;
import io.thrust.EventLoop;
import io.thrust.Interval;
import io.thrust.MissedTicks;
import io.thrust.Timers;
import io.thrust.net.TcpStream;
import io.thrust.task.Async;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** How does a task wait for time to pass, and how does it give up what takes too long? */
final class TimersExample {
    private TimersExample() {}

    /** Tries again after a pause that doubles each time. */
    static <T extends @Nullable Object> Async<T> retry(int attempts, Duration pause, Attempt<T> attempt) {
        return Async.lazy(attempt::start).recover(failure -> {
            if (attempts <= 1) {
                return Async.failed(failure);
            }
            return Timers.sleep(pause).then(none -> retry(attempts - 1, pause.multipliedBy(2), attempt));
        });
    }

    /** What {@link #retry} starts. */
    @FunctionalInterface
    interface Attempt<T extends @Nullable Object> {
        Async<T> start();
    }

    /** Reports how late each of some ticks is, in nanoseconds; ticks that were missed meanwhile are left out. */
    static Async<?> heartbeat(EventLoop loop, Duration period, int beats, LongConsumer lateness) {
        Interval interval = Timers.interval(period, MissedTicks.SKIP);
        return Async.repeat(
                beats,
                () -> interval.tick().map(due -> {
                    lateness.accept(loop.nanoTime() - due);
                    return due;
                }));
    }

    // [timeout]
    /** A read that has the default answer if nothing comes in time; the stream can be read on. */
    static Async<Integer> readOrElse(TcpStream stream, ByteBuffer buffer, Duration limit, int otherwise) {
        return stream.read(buffer)
                .transform(Timers.timeout(limit))
                .recover(AsyncTimeoutException.class, late -> Async.ready(otherwise));
    }
    // [/timeout]

    /** Reads and drops what comes until the peer ends, or is silent for too long: true if it was. Then closes. */
    static Async<Boolean> drainWhileActive(TcpStream stream, Duration silence) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(4096);
        return Async.lazy(() -> {
                    DeadlineTimer idle = Timers.timer(silence);
                    Async<Boolean> ended = Async.loop(
                                    () -> stream.read(buffer.clear()).map(read -> {
                                        idle.reset(silence);
                                        return read != TcpStream.END_OF_STREAM;
                                    }))
                            .map(none -> false);
                    return Async.<Boolean>race(ended, idle.expired().map(none -> true));
                })
                .closing(stream);
    }
}
