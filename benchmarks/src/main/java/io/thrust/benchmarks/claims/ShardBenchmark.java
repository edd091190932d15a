package io.thrust.benchmarks.claims;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
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
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.ThreadParams;

/** A counter cut into shards, each on cache lines of its own; run with several threads. */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Benchmark)
public class ShardBenchmark {
    /** Longs from one shard to the next: two cache lines, for they are fetched in pairs. */
    private static final int STRIDE = 16;

    /** How many. */
    @Param({"1", "2", "4", "8", "16", "32", "64"})
    public int shards;

    private AtomicLongArray counts = new AtomicLongArray(0);

    /** Makes the shards. */
    @Setup
    public void open() {
        counts = new AtomicLongArray((shards + 2) * STRIDE);
    }

    /** The place of a thread's shard. */
    @State(Scope.Thread)
    public static class Place {
        int index;

        /** Chooses it. */
        @Setup
        public void choose(ThreadParams thread, ShardBenchmark shards) {
            index = (1 + thread.getThreadIndex() % shards.shards) * STRIDE;
        }
    }

    /** Adds to the thread's shard. */
    @Benchmark
    public long add(Place place) {
        return counts.getAndIncrement(place.index);
    }
}
