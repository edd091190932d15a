package io.thrust.benchmarks;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** The cases of {@link ExecutorBenchmark} on virtual threads with one carrier; needs JDK 21. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {
            "-XX:+UseSerialGC",
            "-Xms1g",
            "-Xmx1g",
            "-Djdk.virtualThreadScheduler.parallelism=1",
            "-Djdk.virtualThreadScheduler.maxPoolSize=1"
        })
public class VirtualThreadBenchmark {
    /** How many threads one call starts. */
    @Param({"10000", "100000"})
    public int tasks;

    private final ExecutorService executor = open();

    /** The first JDK with virtual threads. */
    static final int NEEDS_JDK = 21;

    private static ExecutorService open() {
        try {
            MethodHandle factory = MethodHandles.publicLookup()
                    .findStatic(
                            Executors.class,
                            "newVirtualThreadPerTaskExecutor",
                            MethodType.methodType(ExecutorService.class));
            return (ExecutorService) factory.invoke();
        } catch (Throwable t) {
            throw new IllegalStateException("there are no virtual threads before JDK " + NEEDS_JDK, t);
        }
    }

    /** Ends the executor. */
    @TearDown
    public void close() {
        executor.shutdown();
    }

    private void runAll(Runnable task) throws Exception {
        List<Future<?>> started = new ArrayList<>(tasks);
        for (int i = 0; i < tasks; i++) {
            started.add(executor.submit(task));
        }
        for (Future<?> one : started) {
            one.get();
        }
    }

    /** Starts threads that end at once, and waits for them. */
    @Benchmark
    public void spawnAndComplete() throws Exception {
        runAll(() -> {});
    }

    /** The same with threads that yield once. */
    @Benchmark
    public void yieldOnce() throws Exception {
        runAll(Thread::yield);
    }

    /** Two threads wake each other {@link ExecutorBenchmark#ROUND_TRIPS} times. */
    @Benchmark
    public void wakeRoundTrips() throws Exception {
        Turns turns = new Turns();
        Future<?> first = executor.submit(() -> turns.play(0));
        Future<?> second = executor.submit(() -> turns.play(1));
        first.get();
        second.get();
    }

    private static final class Turns {
        private final @Nullable Thread[] players = new Thread[2];
        private volatile int turn = -1;

        void play(int me) {
            players[me] = Thread.currentThread();
            if (me == 1) {
                turn = 0;
                LockSupport.unpark(players[0]);
            }
            for (int i = 0; i < ExecutorBenchmark.ROUND_TRIPS; i++) {
                while (turn != me) {
                    LockSupport.park();
                }
                turn = 1 - me;
                LockSupport.unpark(players[1 - me]);
            }
        }
    }
}
