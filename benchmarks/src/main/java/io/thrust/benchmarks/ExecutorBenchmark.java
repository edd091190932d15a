package io.thrust.benchmarks;

import io.thrust.EventLoop;
import io.thrust.task.Async;
import io.thrust.task.Countdown;
import io.thrust.task.WakeLatency;
import io.thrust.task.YieldOnce;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
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

/**
 * What tasks cost on a loop, its turns to the poller included. {@link VirtualThreadBenchmark} has the same cases on virtual
 * threads; times are those of all the tasks together.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-XX:+UseSerialGC", "-Xms1g", "-Xmx1g"})
public class ExecutorBenchmark {
    /** How often two tasks wake each other in one call. */
    static final int ROUND_TRIPS = 10_000;

    /** The poller under the loop. */
    @Param({"epoll", "nio"})
    public String poller = "";

    /** How many tasks one call spawns. */
    @Param({"10000", "100000"})
    public int tasks;

    private EventLoop loop = Loops.open("");

    /** Opens the loop. */
    @Setup
    public void open() {
        loop.close();
        loop = Loops.open(poller);
    }

    /** Closes the loop. */
    @TearDown
    public void close() {
        loop.close();
    }

    /** Spawns tasks that end at their first poll, and runs them. */
    @Benchmark
    public void spawnAndComplete() {
        for (int i = 0; i < tasks; i++) {
            loop.spawn(Async.ready(i));
        }
        loop.run();
    }

    /** The same with tasks that yield once. */
    @Benchmark
    public void yieldOnce() {
        for (int i = 0; i < tasks; i++) {
            loop.spawn(new YieldOnce());
        }
        loop.run();
    }

    /** A single task that yields five times. */
    @Benchmark
    public Object countdownOf5() throws IOException {
        return loop.blockOn(new Countdown(5).map(end -> Boolean.TRUE));
    }

    /** A single task that yields fifty times. */
    @Benchmark
    public Object countdownOf50() throws IOException {
        return loop.blockOn(new Countdown(50).map(end -> Boolean.TRUE));
    }

    /** A single task that wakes itself and is polled again. */
    @Benchmark
    public long wakeLatency() throws IOException {
        return loop.blockOn(new WakeLatency());
    }

    /** Two tasks wake each other {@link #ROUND_TRIPS} times. */
    @Benchmark
    public void wakeRoundTrips() {
        PingPong first = new PingPong(ROUND_TRIPS);
        PingPong second = new PingPong(ROUND_TRIPS);
        first.other = second;
        second.other = first;
        loop.spawn(second);
        loop.spawn(first);
        loop.run();
    }
}
