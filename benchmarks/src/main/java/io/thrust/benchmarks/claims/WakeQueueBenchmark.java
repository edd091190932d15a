package io.thrust.benchmarks.claims;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.GroupThreads;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A loop that takes up wake-ups once in a turn while other threads send them: what the place of the queue's head matters. */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Group)
public class WakeQueueBenchmark {
    private static final int POLLS = 16;

    /** Where the head is: {@code apart} from the loop's own fields, or {@code beside} them. */
    @Param({"apart", "beside"})
    public String head = "";

    private WakeQueue.LoopFields loop = new WakeQueue.LoopFields();
    private WakeQueue queue = new WakeQueue.Beside();

    /** Makes the queue. */
    @Setup
    public void open() {
        if (head.equals("apart")) {
            WakeQueue.Apart apart = new WakeQueue.Apart();
            loop = apart;
            queue = apart;
        } else {
            WakeQueue.Beside beside = new WakeQueue.Beside();
            loop = beside;
            queue = beside;
        }
    }

    /** What one thread wakes. */
    @State(Scope.Thread)
    public static class Task {
        final WakeQueue.Node node = new WakeQueue.Node();
    }

    /** A turn of the loop, with sixteen polls. */
    @Benchmark
    @Group("loop")
    @GroupThreads(1)
    public int turn() {
        return WakeQueue.turn(loop, queue, POLLS);
    }

    /** A wake-up, which does nothing if the last one was not taken up yet. */
    @Benchmark
    @Group("loop")
    @GroupThreads(1)
    public boolean wake(Task task) {
        if (!task.node.enter()) {
            return false;
        }
        queue.add(task.node);
        return true;
    }
}
