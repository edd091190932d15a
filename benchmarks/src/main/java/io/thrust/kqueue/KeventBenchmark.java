package io.thrust.kqueue;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** A {@code kevent} through jnr-ffi; run it with {@code -prof gc}: it allocates nothing. Needs a kqueue. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class KeventBenchmark {
    private @Nullable KeventCalls calls;

    /** Opens a kqueue. */
    @Setup
    public void open() throws IOException {
        calls = KeventCalls.open();
    }

    /** Closes it. */
    @TearDown
    public void close() throws IOException {
        calls().close();
    }

    private KeventCalls calls() {
        KeventCalls present = calls;
        if (present == null) {
            throw new IllegalStateException("not open");
        }
        return present;
    }

    /** The system call alone, as the poller makes it. */
    @Benchmark
    public int kevent() {
        return calls().kevent();
    }

    /** A poll that finds nothing and waits for nothing. */
    @Benchmark
    public int poll() throws IOException {
        return calls().poll();
    }
}
