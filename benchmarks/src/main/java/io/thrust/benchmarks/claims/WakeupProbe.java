package io.thrust.benchmarks.claims;

import io.thrust.EventLoop;
import io.thrust.poll.Poller;
import io.thrust.poll.Pollers;
import io.thrust.task.AbstractAsync;
import io.thrust.task.Waker;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.Selector;
import java.util.concurrent.atomic.AtomicBoolean;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The time from before a wake-up to after the wait of another thread, in a JVM of its own; the same as {@code wakeup.c}. */
final class WakeupProbe {
    /** Waits in a bare selector. */
    static final String SELECTOR = "Selector.wakeup";
    /** Goes before a poller's name: a task waits, on a loop over that poller. */
    static final String TASK_ON = "task on ";

    private static final int WARM_UP = 20_000;

    private final long spin;
    private volatile long sent;
    private volatile long returns;

    private WakeupProbe(long spin) {
        this.spin = spin;
    }

    /** Arguments: who waits, the number of wake-ups, and how many nanoseconds to spin before each. */
    public static void main(String[] args) throws Exception {
        ChildJvm.failOnAnyException();
        new WakeupProbe(Long.parseLong(args[2])).measure(args[0], Integer.parseInt(args[1]));
        System.exit(0);
    }

    private void measure(String kind, int wakes) throws Exception {
        Histogram times = Times.histogram();
        Waiter waiter = waiter(kind);
        int warmUp = Math.min(WARM_UP, wakes);
        int all = warmUp + wakes;
        Thread thread = new Thread(() -> waiter.waitFor(all), "waiter");
        thread.setDaemon(true);
        thread.start();
        double blocked = 0;
        for (int i = 0; i < all; i++) {
            long start = System.nanoTime();
            while (!waiter.isWaiting() || System.nanoTime() - start < spin) {
                Thread.onSpinWait();
            }
            if (i == warmUp) {
                blocked = blocked(thread);
            } else if (i == all - 1) {
                ChildJvm.print("blocked", (blocked(thread) - blocked) / wakes);
            }
            long now = System.nanoTime();
            sent = now;
            waiter.wake();
            long back;
            while ((back = returns) == 0) {
                Thread.onSpinWait();
            }
            returns = 0;
            if (i >= warmUp) {
                times.recordValue(back - now);
            }
        }
        thread.join();
        Times.print(times);
    }

    /** How often it had to wait for a monitor. */
    @SuppressWarnings("deprecation") // Its successor is newer than the oldest JDK that this runs on.
    private static double blocked(Thread thread) {
        return ManagementFactory.getThreadMXBean().getThreadInfo(thread.getId()).getBlockedCount();
    }

    /** By the waiter, as soon as it is awake. */
    private void awake() {
        long now = System.nanoTime();
        if (sent != 0) {
            sent = 0;
            returns = now;
        }
    }

    private interface Waiter {
        /** Waits this often, and says that it is {@link #awake} each time. */
        void waitFor(int wakes);

        default boolean isWaiting() {
            return true;
        }

        void wake();
    }

    private Waiter waiter(String kind) throws IOException {
        if (kind.equals(SELECTOR)) {
            return new SelectorWaiter();
        }
        return kind.startsWith(TASK_ON) ? new TaskWaiter(kind.substring(TASK_ON.length())) : new PollerWaiter(kind);
    }

    private final class SelectorWaiter implements Waiter {
        private final Selector selector = Selector.open();

        SelectorWaiter() throws IOException {}

        @Override
        public void waitFor(int wakes) {
            try {
                for (int i = 0; i < wakes; i++) {
                    selector.select();
                    awake();
                }
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void wake() {
            selector.wakeup();
        }
    }

    private final class PollerWaiter implements Waiter {
        private final Poller poller;

        PollerWaiter(String name) throws IOException {
            poller = Pollers.select(name).openPoller(64);
        }

        @Override
        public void waitFor(int wakes) {
            try {
                for (int i = 0; i < wakes; i++) {
                    poller.poll(Poller.FOREVER);
                    awake();
                }
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void wake() {
            poller.wakeup();
        }
    }

    private final class TaskWaiter implements Waiter {
        private final EventLoop loop;
        private final AtomicBoolean woken = new AtomicBoolean();
        private volatile @Nullable Waker waker;

        TaskWaiter(String name) throws IOException {
            loop = EventLoop.open(Pollers.select(name));
        }

        @Override
        public void waitFor(int wakes) {
            loop.spawn(new AbstractAsync<@Nullable Void>() {
                private int left = wakes;

                @Override
                protected boolean advance(Waker present) {
                    if (waker == null) {
                        waker = present;
                    }
                    if (woken.compareAndSet(true, false)) {
                        awake();
                        left--;
                    }
                    return left == 0 ? READY : PENDING;
                }

                @Override
                protected @Nullable Void value() {
                    return null;
                }
            });
            loop.run();
        }

        @Override
        public boolean isWaiting() {
            return waker != null;
        }

        @Override
        public void wake() {
            Waker waker = this.waker;
            woken.set(true);
            if (waker != null) {
                waker.wake();
            }
        }
    }
}
