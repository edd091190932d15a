package io.thrust.benchmarks.claims;

import io.thrust.EventLoop;
import io.thrust.Timers;
import io.thrust.task.Async;
import io.thrust.task.Waker;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The heap that each of many parked tasks takes, in a JVM of its own. */
final class MemoryProbe {
    /** All wait on one object: what is left is the runtime's own. */
    static final String BARE = "runtime's share";
    /** Each waits on an object of its own with one field, its waker. */
    static final String OWN = "with an Async of its own";

    static final String SLEEP = "in a sleep";

    private MemoryProbe() {}

    /** Arguments: what the tasks wait on, and their number. */
    public static void main(String[] args) throws Exception {
        int count = Integer.parseInt(args[1]);
        Supplier<Async<@Nullable Void>> waiting = waiting(args[0]);
        EventLoop loop = TaskWorker.openLoop();
        park(loop, 100, waiting);
        Heap.bytesByClass();
        Heap.liveBytes();

        Map<String, Long> classesBefore = Heap.bytesByClass();
        double before = Heap.liveBytes();
        park(loop, count, waiting);
        ChildJvm.print("bytes", (Heap.liveBytes() - before) / count);
        Heap.printGrowth(classesBefore, count);
        if (loop.executor().taskCount() != count + 100) {
            throw new IllegalStateException(loop.executor().taskCount() + " tasks wait");
        }
        System.exit(0);
    }

    private static Supplier<Async<@Nullable Void>> waiting(String what) {
        return switch (what) {
            case BARE -> () -> Forever.INSTANCE;
            case OWN -> Parked::new;
            case SLEEP -> () -> Timers.sleep(Duration.ofDays(1));
            default -> throw new IllegalArgumentException("nothing to wait on is called \"" + what + "\"");
        };
    }

    private static void park(EventLoop loop, int count, Supplier<Async<@Nullable Void>> waiting) {
        for (int i = 0; i < count; i++) {
            loop.spawnBackground(waiting.get());
        }
        int turns = count / 8 + 1; // The fewest polls in a turn, if half a millisecond is enough for eight.
        for (int i = 0; i < turns; i++) {
            loop.turn(0);
        }
    }

    private enum Forever implements Async<@Nullable Void> {
        INSTANCE;

        @Override
        public boolean poll(Waker waker) {
            return PENDING;
        }

        @Override
        public @Nullable Void result() {
            return null;
        }
    }
}
