package io.thrust.benchmarks;

import io.thrust.poll.Interest;
import io.thrust.poll.PipePair;
import io.thrust.poll.Poller;
import io.thrust.poll.PollerProvider;
import io.thrust.poll.Pollers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
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

/** What one poll costs, the kernel's part included; run with {@code -prof gc}, it shows what a poll allocates. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PollBenchmark {
    /** The poller's name. */
    @Param({"epoll", "nio"})
    public String poller = "";

    /** How many idle pipes are registered as well. */
    @Param({"0", "1000"})
    public int idle;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(1);
    private final List<PipePair> pipes = new ArrayList<>();
    private Poller polled = open("nio");

    private static Poller open(String name) {
        try {
            return Pollers.select(name).openPoller(64);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Opens the poller and its pipes. */
    @Setup
    public void open() throws IOException {
        polled.close();
        PollerProvider provider = Pollers.select(poller);
        polled = provider.openPoller(64);
        for (int i = 0; i <= idle; i++) {
            PipePair pipe = provider.pipe();
            pipes.add(pipe);
            polled.register(pipe.reader(), i, Interest.READ, io.thrust.poll.Mode.EDGE);
        }
    }

    /** Closes them. */
    @TearDown
    public void close() throws IOException {
        for (PipePair pipe : pipes) {
            polled.deregister(pipe.reader());
            pipe.reader().close();
            pipe.writer().close();
        }
        polled.close();
    }

    /** Nothing is ready. */
    @Benchmark
    public int nothing() throws IOException {
        return polled.poll(0);
    }

    /** A wake-up was sent. */
    @Benchmark
    public int afterWakeup() throws IOException {
        polled.wakeup();
        return polled.poll(Poller.FOREVER);
    }

    /** One byte goes through a pipe: a write, a poll, a read, a rearm. */
    @Benchmark
    public int oneEvent() throws IOException {
        PipePair pipe = pipes.get(0);
        pipe.writer().write(buffer.clear());
        int ready = polled.poll(Poller.FOREVER);
        pipe.reader().read(buffer.clear());
        polled.rearm(pipe.reader(), Interest.READ);
        return ready;
    }
}
