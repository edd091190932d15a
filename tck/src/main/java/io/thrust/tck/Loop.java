package io.thrust.tck;

import io.thrust.EventLoop;
import io.thrust.net.TcpListener;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.Poller;
import io.thrust.poll.PollerClosedException;
import io.thrust.task.Async;
import io.thrust.task.Waker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * This project's event loop over the poller under test. What runs in it fails when it does not end, even if the poller never
 * returns, and when a task in the background fails.
 */
final class Loop {
    /** A conversation of many steps is given this many times the patience with one event. */
    private static final int STEPS = 3;

    private final Fixture fixture;
    private final EventLoop loop;
    private final Poller poller;
    private final List<Throwable> failures = new ArrayList<>();

    Loop(Fixture fixture, EventLoop loop, Poller poller) {
        this.fixture = fixture;
        this.loop = loop;
        this.poller = poller;
    }

    EventLoop eventLoop() {
        return loop;
    }

    TcpListener listen() throws IOException {
        return TcpListener.bind(loop, Fixture.loopback(), ListenOptions.DEFAULT);
    }

    /** Runs a computation beside the one that {@link #run} waits for; it is cancelled when that has ended. */
    void background(Async<?> computation) {
        loop.spawnBackground(new Noted(computation)).detach();
    }

    /** Runs a computation in the loop, to its end. */
    <T extends @Nullable Object> T run(String what, Supplier<? extends Async<T>> computation) throws IOException {
        Duration most = fixture.environment().patience().multipliedBy(STEPS);
        CountDownLatch ended = new CountDownLatch(1);
        AtomicBoolean closed = new AtomicBoolean();
        // Not a timer of the loop's: an idle one waits without limit, and that is to be seen too.
        Helper guard = fixture.helper("tck-guard", () -> {
            if (!ended.await(most.toNanos(), TimeUnit.NANOSECONDS)) {
                closed.set(true);
                loop.close();
                // Ends a poll that does not listen to wake-ups, if anything does.
                poller.close();
            }
        });
        T result;
        try {
            result = loop.blockOn(Async.lazy(computation));
        } catch (CancellationException | PollerClosedException e) {
            if (closed.get()) {
                throw failed(what, "it did not end within " + most, null);
            }
            throw e;
        } finally {
            ended.countDown();
            guard.join();
        }
        if (!failures.isEmpty()) {
            throw failed(what, "it came to its end", failures.get(0));
        }
        return result;
    }

    private AssertionError failed(String what, String how, @Nullable Throwable cause) {
        String background = failures.isEmpty() ? "" : "; a task in the background failed: " + failures.get(0);
        AssertionError failure = new AssertionError(what + ": " + how + background, cause);
        failures.stream().filter(each -> each != cause).forEach(failure::addSuppressed);
        return failure;
    }

    /** A computation whose failure is taken note of. */
    private final class Noted implements Async<@Nullable Void> {
        private final Async<?> computation;

        Noted(Async<?> computation) {
            this.computation = computation;
        }

        @Override
        public boolean poll(Waker waker) {
            try {
                return computation.poll(waker);
            } catch (Throwable t) {
                failures.add(t);
                return READY;
            }
        }

        @Override
        public @Nullable Void result() {
            return null;
        }

        @Override
        public void cancel() {
            computation.cancel();
        }
    }
}
