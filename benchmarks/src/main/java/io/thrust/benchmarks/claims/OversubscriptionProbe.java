package io.thrust.benchmarks.claims;

import io.thrust.EventLoop;
import io.thrust.task.AbstractAsync;
import io.thrust.task.Waker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SynchronizedHistogram;
import org.jspecify.annotations.Nullable;

/** Does a fixed amount of computing on a number of threads or loops, in a JVM of its own. */
final class OversubscriptionProbe {
    /** Loops: each has its share of tasks, and each piece of work is one poll. */
    static final String LOOP = "loop";

    private static final int TASKS = 64;
    /** Steps of a piece of work: some tenths of a millisecond. */
    private static final int STEPS = 200_000;

    private final SynchronizedHistogram times = new SynchronizedHistogram(TimeUnit.MINUTES.toNanos(10), 3);
    private final CountDownLatch done;
    /** Threads stay until they are counted: those that have ended the kernel does not tell of. */
    private final CountDownLatch counted = new CountDownLatch(1);

    private OversubscriptionProbe(int workers) {
        done = new CountDownLatch(workers);
    }

    /** Arguments: the worker's name, how many of them, the number of pieces of work. */
    public static void main(String[] args) throws Exception {
        ChildJvm.failOnAnyException();
        int workers = Integer.parseInt(args[1]);
        int pieces = Integer.parseInt(args[2]);
        long warm = System.nanoTime();
        Histogram ignored = Times.histogram();
        while (System.nanoTime() - warm < TimeUnit.MILLISECONDS.toNanos(300)) {
            work(ignored);
        }
        new OversubscriptionProbe(workers).run(args[0], workers, pieces);
        System.exit(0);
    }

    private void run(String kind, int workers, int pieces) throws Exception {
        ThreadFactory factory = kind.equals(Worker.VIRTUAL) ? VirtualThreads.factory() : Worker.daemons();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            int share = (i + 1) * pieces / workers - i * pieces / workers;
            int tasks = (i + 1) * TASKS / workers - i * TASKS / workers;
            Thread thread = factory.newThread(
                    () -> finish(kind.equals(LOOP) ? workOnLoop(share, tasks) : workInSequence(share)));
            thread.setName(kind + "-" + i);
            threads.add(thread);
        }
        long switches = Proc.involuntarySwitches();
        long cpu = Proc.cpuNanos();
        long start = System.nanoTime();
        threads.forEach(Thread::start);
        done.await();
        double taken = (double) (System.nanoTime() - start);
        ChildJvm.print("processors", (Proc.cpuNanos() - cpu) / taken);
        ChildJvm.print("switches", (double) (Proc.involuntarySwitches() - switches));
        ChildJvm.print("named", Proc.threadsNamed(kind + "-"));
        counted.countDown();
        ChildJvm.print("per second", times.getTotalCount() * 1e9 / taken);
        Times.print(times);
    }

    private void finish(Histogram mine) {
        times.add(mine);
        done.countDown();
        try {
            counted.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Histogram workInSequence(int pieces) {
        Histogram times = Times.histogram();
        for (int i = 0; i < pieces; i++) {
            work(times);
        }
        return times;
    }

    private static Histogram workOnLoop(int pieces, int tasks) {
        Histogram times = Times.histogram();
        try (EventLoop loop = TaskWorker.openLoop()) {
            for (int i = 0; i < tasks; i++) {
                int share = (i + 1) * pieces / tasks - i * pieces / tasks;
                loop.spawn(new Working(share, times));
            }
            loop.run();
        }
        return times;
    }

    /** One piece. */
    private static void work(Histogram times) {
        long start = System.nanoTime();
        long x = start | 1;
        for (int i = 0; i < STEPS; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        times.recordValue(System.nanoTime() - start);
        if (x == 0) {
            throw new IllegalStateException("only zero leads to zero"); // So x is needed.
        }
    }

    /** A piece in each poll. */
    private static final class Working extends AbstractAsync<@Nullable Void> {
        private final Histogram times;
        private int left;

        Working(int pieces, Histogram times) {
            this.left = pieces;
            this.times = times;
        }

        @Override
        protected boolean advance(Waker waker) {
            if (left-- == 0) {
                return READY;
            }
            work(times);
            waker.wake();
            return PENDING;
        }

        @Override
        protected @Nullable Void value() {
            return null;
        }
    }
}
