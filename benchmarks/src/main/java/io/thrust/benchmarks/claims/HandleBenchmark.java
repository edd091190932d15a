package io.thrust.benchmarks.claims;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** A buffer whose users are counted, taken for each message or borrowed from who has it; run with several threads. */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class HandleBenchmark {
    /** One for all threads. */
    @State(Scope.Benchmark)
    public static class Shared {
        final ByteBuf buffer = Unpooled.directBuffer(64).writeZero(64);

        /** Lets go of it. */
        @TearDown
        public void close() {
            buffer.release();
        }
    }

    /** One for each thread. */
    @State(Scope.Thread)
    public static class Own {
        final ByteBuf buffer = Unpooled.directBuffer(64).writeZero(64);

        /** Lets go of it. */
        @TearDown
        public void close() {
            buffer.release();
        }
    }

    private static int countedUse(ByteBuf buffer) {
        buffer.retain();
        try {
            return buffer.getByte(7);
        } finally {
            buffer.release();
        }
    }

    /** Counts itself as a user of what all use. */
    @Benchmark
    public int sharedCounted(Shared shared) {
        return countedUse(shared.buffer);
    }

    /** Uses what all use, without being counted. */
    @Benchmark
    public int sharedBorrowed(Shared shared) {
        return shared.buffer.getByte(7);
    }

    /** Counts itself as a user of what no other thread uses. */
    @Benchmark
    public int ownCounted(Own own) {
        return countedUse(own.buffer);
    }

    /** Uses it without being counted. */
    @Benchmark
    public int ownBorrowed(Own own) {
        return own.buffer.getByte(7);
    }
}
