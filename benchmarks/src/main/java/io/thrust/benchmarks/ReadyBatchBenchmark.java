package io.thrust.benchmarks;

import io.thrust.poll.spi.ReadyBatch;
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
import org.openjdk.jmh.annotations.Warmup;

/** What a batch costs per poll, apart from the kernel: a backend fills it and a reactor reads all of it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ReadyBatchBenchmark {
    /** How many entries one poll reports. */
    @Param({"1", "64", "1024"})
    public int entries;

    private ReadyBatch batch = new ReadyBatch(1);

    /** Makes room for the entries. */
    @Setup
    public void open() {
        batch = new ReadyBatch(entries);
    }

    /** Returns a checksum of keys and flags, so that no read can be left out; the time is that of a whole batch. */
    @Benchmark
    public long fillAndRead() {
        batch.clear();
        for (int i = 0; i < entries; i++) {
            batch.add(i, (i & 1) == 0 ? ReadyBatch.READABLE : ReadyBatch.READABLE | ReadyBatch.WRITABLE);
        }
        long sum = 0;
        for (int i = 0, n = batch.size(); i < n; i++) {
            if (batch.isBlank(i)) {
                continue;
            }
            sum += batch.key(i);
            if (batch.isReadable(i)) {
                sum += 1;
            }
            if (batch.isWritable(i)) {
                sum += 2;
            }
            if (batch.isHangup(i)) {
                sum += 4;
            }
        }
        return sum;
    }
}
