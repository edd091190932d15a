package io.thrust.benchmarks;

import io.thrust.EventLoop;
import io.thrust.Timers;
import io.thrust.task.Async;
import io.thrust.task.Waker;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What a timer costs while others wait; most timers are cancelled, as those of timeouts are. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class TimerBenchmark {
    private static final int ROUNDS = 1_000;

    /** How many timers wait as well. */
    @Param({"1", "1000", "100000"})
    public int pending;

    private final EventLoop loop = Loops.open("");

    /** Starts the timers that wait. */
    @Setup
    public void open() throws IOException {
        for (int i = 0; i < pending; i++) {
            loop.spawnBackground(Timers.sleep(Duration.ofHours(1).plusMillis(i % 977)));
        }
        loop.turn(0);
    }

    /** Closes the loop. */
    @TearDown
    public void close() {
        loop.close();
    }

    /** Starts a timer and cancels it. */
    @Benchmark
    @OperationsPerInvocation(ROUNDS)
    public boolean startAndCancel() {
        loop.spawn(new StartAndCancel());
        return loop.turn(0);
    }

    private static final class StartAndCancel implements Async<@Nullable Void> {
        @Override
        public boolean poll(Waker waker) throws Exception {
            for (int i = 0; i < ROUNDS; i++) {
                Async<@Nullable Void> sleep = Timers.sleep(Duration.ofMinutes(1).plusMillis(i));
                if (sleep.poll(waker) == READY) {
                    throw new IllegalStateException("a minute has passed");
                }
                sleep.cancel();
            }
            return READY;
        }

        @Override
        public @Nullable Void result() {
            return null;
        }
    }
}
