package io.thrust.benchmarks.claims;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SynchronizedHistogram;

/** Reads of a table while it is replaced now and then, in a JVM of its own. */
final class SnapshotProbe {
    /** One read of so many is timed. */
    private static final int SAMPLE = 64;

    private final String[] paths;
    private final Routes routes;
    private final SynchronizedHistogram times = new SynchronizedHistogram(TimeUnit.MINUTES.toNanos(1), 3);
    private final LongAdder reads = new LongAdder();
    private final LongAdder mixed = new LongAdder();
    private final LongAdder readerNanos = new LongAdder();
    private volatile boolean over;
    private long editions;

    private SnapshotProbe(String kind, int size) {
        routes = Routes.named(kind);
        paths = new String[size];
        for (int i = 0; i < size; i++) {
            paths[i] = "/service/" + i + "/path";
        }
        routes.replace(nextEdition());
    }

    /** Arguments: the table's name, its size, the number of readers, updates per minute or 0, and milliseconds. */
    public static void main(String[] args) throws Exception {
        ChildJvm.failOnAnyException();
        int size = Integer.parseInt(args[1]);
        int readers = Integer.parseInt(args[2]);
        int perMinute = Integer.parseInt(args[3]);
        long nanos = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(args[4]));
        SnapshotProbe probe = new SnapshotProbe(args[0], size);
        probe.run(readers, perMinute, nanos / 2);
        probe.times.reset();
        probe.reads.reset();
        probe.mixed.reset();
        probe.readerNanos.reset();
        double[] updates = probe.run(readers, perMinute, nanos);
        ChildJvm.print("reads", probe.reads.sum() * 1e9 / nanos);
        ChildJvm.print("reads per cpu", probe.reads.sum() * 1e9 / probe.readerNanos.sum());
        ChildJvm.print("mixed", (double) probe.mixed.sum());
        ChildJvm.print("updates", updates[0]);
        ChildJvm.print("cpu per update", updates[1] / updates[0]);
        Times.print(probe.times);
        System.exit(0);
    }

    /** Returns the number of updates, and the CPU time that they took. */
    private double[] run(int readers, int perMinute, long nanos) throws InterruptedException {
        over = false;
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < readers; i++) {
            Thread thread = new Thread(this::read, "reader-" + i);
            threads.add(thread);
            thread.start();
        }
        long interval = perMinute == 0 ? 0 : TimeUnit.MINUTES.toNanos(1) / perMinute;
        long start = System.nanoTime();
        long due = start + Math.min(interval, nanos) / 2; // One at least.
        long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        double updates = 0;
        while (due - start < nanos && System.nanoTime() - start < nanos) {
            long left = due - System.nanoTime();
            if (left > 0) {
                LockSupport.parkNanos(left);
            } else {
                routes.replace(nextEdition());
                updates++;
                due = interval == 0 ? due : due + interval;
            }
        }
        double taken = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu;
        long left = nanos - (System.nanoTime() - start);
        if (left > 0) {
            TimeUnit.NANOSECONDS.sleep(left);
        }
        over = true;
        for (Thread thread : threads) {
            thread.join();
        }
        return new double[] {updates, taken};
    }

    private Map<String, Routes.Route> nextEdition() {
        long edition = ++editions;
        Map<String, Routes.Route> table = new HashMap<>(paths.length * 2);
        for (String path : paths) {
            table.put(path, new Routes.Route(edition, path));
        }
        return table;
    }

    private void read() {
        Histogram times = Times.histogram();
        long reads = 0;
        long mixed = 0;
        int index = 0;
        while (!over) {
            long start = System.nanoTime();
            mixed += readAt(index);
            times.recordValue(System.nanoTime() - start);
            for (int i = 1; i < SAMPLE; i++) {
                index += 7;
                mixed += readAt(index);
            }
            reads += SAMPLE;
        }
        this.times.add(times);
        this.reads.add(reads);
        this.mixed.add(mixed);
        this.readerNanos.add(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime());
    }

    private int readAt(int index) {
        String one = paths[Math.floorMod(index, paths.length)];
        String other = paths[Math.floorMod(index * 31 + 1, paths.length)];
        return routes.agree(one, other) ? 0 : 1;
    }
}
