package io.thrust.benchmarks;

import io.thrust.poll.Poller;
import io.thrust.poll.PollerClosedException;
import io.thrust.poll.Pollers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Selector;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** The time from a wake-up to the return of another thread's poll, beside that of a bare {@link Selector}. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class WakeupBenchmark {
    /** A poller's name, or {@code selector}. */
    @Param({"epoll", "nio", "selector"})
    public String waiter = "";

    private final AtomicLong returns = new AtomicLong();
    private Waiter waiting = new NoWaiter();
    private Thread thread = new Thread(() -> {});

    /** Starts the thread that waits. */
    @Setup
    public void start() throws IOException {
        waiting = waiter.equals("selector") ? new SelectorWaiter() : new PollerWaiter(waiter);
        Waiter waiting = this.waiting;
        thread = new Thread(
                () -> {
                    while (waiting.await()) {
                        returns.incrementAndGet();
                    }
                },
                "waiter");
        thread.start();
    }

    /** Ends that thread. */
    @TearDown
    public void stop() throws Exception {
        waiting.close();
        thread.join();
    }

    /** Wakes, and spins until the other thread is awake. */
    @Benchmark
    public long wakeup() {
        long before = returns.get();
        waiting.wakeup();
        while (returns.get() == before) {
            Thread.onSpinWait();
        }
        return before;
    }

    private interface Waiter extends AutoCloseable {
        /** False once closed. */
        boolean await();

        void wakeup();
    }

    private static final class NoWaiter implements Waiter {
        @Override
        public boolean await() {
            return false;
        }

        @Override
        public void wakeup() {}

        @Override
        public void close() {}
    }

    private static final class PollerWaiter implements Waiter {
        private final Poller poller;

        PollerWaiter(String name) throws IOException {
            poller = Pollers.select(name).openPoller(64);
        }

        @Override
        public boolean await() {
            try {
                poller.poll(Poller.FOREVER);
                return true;
            } catch (PollerClosedException e) {
                return false;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void wakeup() {
            poller.wakeup();
        }

        @Override
        public void close() throws IOException {
            poller.close();
        }
    }

    private static final class SelectorWaiter implements Waiter {
        private final Selector selector = Selector.open();

        SelectorWaiter() throws IOException {}

        @Override
        public boolean await() {
            try {
                selector.select();
                return selector.isOpen();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void wakeup() {
            selector.wakeup();
        }

        @Override
        public void close() throws IOException {
            selector.close();
        }
    }
}
