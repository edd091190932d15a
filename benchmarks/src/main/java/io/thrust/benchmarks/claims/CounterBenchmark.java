package io.thrust.benchmarks.claims;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A counter that each thread has for itself, one that all share, and one that all only read; run with several threads. */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class CounterBenchmark {
    // The fields are on cache lines of their own, for the harness pads its states.
    private static final VarHandle SHARED;

    private static final VarHandle OWN;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            SHARED = lookup.findVarHandle(Shared.class, "count", long.class);
            OWN = lookup.findVarHandle(Own.class, "count", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** One for all threads. */
    @State(Scope.Benchmark)
    public static class Shared {
        volatile long count;
    }

    /** One for all threads, which spreads itself. */
    @State(Scope.Benchmark)
    public static class Spread {
        final LongAdder adder = new LongAdder();
    }

    /** One for each thread. */
    @State(Scope.Thread)
    public static class Own {
        volatile long count;
        long plain;
    }

    /** Adds without a thought of other threads, as the loop's own counters do. */
    @Benchmark
    public long ownPlain(Own own) {
        return ++own.plain;
    }

    /** Adds atomically to what no other thread touches. */
    @Benchmark
    public long ownAtomic(Own own) {
        return (long) OWN.getAndAdd(own, 1L);
    }

    /** Adds atomically to what all others add to. */
    @Benchmark
    public long sharedAtomic(Shared shared) {
        return (long) SHARED.getAndAdd(shared, 1L);
    }

    /** Reads what all read and none writes. */
    @Benchmark
    public long sharedRead(Shared shared) {
        return shared.count;
    }

    /** Adds to a {@link LongAdder}. */
    @Benchmark
    public void sharedAdder(Spread spread) {
        spread.adder.increment();
    }
}
