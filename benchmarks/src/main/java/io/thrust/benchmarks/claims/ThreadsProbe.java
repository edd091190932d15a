package io.thrust.benchmarks.claims;

import org.HdrHistogram.Histogram;

/** Measures one {@link Worker}, in a JVM of its own. */
final class ThreadsProbe {
    private ThreadsProbe() {}

    /** Arguments: the worker's name, what to measure, how often or of how many. */
    public static void main(String[] args) throws Exception {
        ChildJvm.failOnAnyException();
        Worker worker = Worker.named(args[0]);
        int number = Integer.parseInt(args[2]);
        switch (args[1]) {
            case "join" -> {
                worker.spawnAndJoin(number / 4 + 1, Times.histogram());
                Histogram times = Times.histogram();
                worker.spawnAndJoin(number, times);
                Times.print(times);
            }
            case "create" -> create(worker, number);
            case "park" -> park(worker, number);
            case "handover" -> {
                worker.handOver(number / 4 + 1, Times.histogram());
                Histogram times = Times.histogram();
                worker.handOver(number, times);
                Times.print(times);
            }
            default -> throw new IllegalArgumentException("there is no measurement \"" + args[1] + "\"");
        }
        System.exit(0);
    }

    /** In batches, so that there are never many platform threads. */
    private static void create(Worker worker, int number) throws Exception {
        int batch = Math.min(number, 250);
        int batches = number / batch;
        for (int i = 0; i < batches / 4 + 1; i++) {
            worker.create(batch);
        }
        long nanos = 0;
        for (int i = 0; i < batches; i++) {
            nanos += worker.create(batch);
        }
        ChildJvm.print("per second", 1e9 * batches * batch / nanos);
    }

    private static void park(Worker worker, int count) throws Exception {
        // What the first ones load, and the measurement itself, is no matter of each.
        worker.park(10);
        Heap.liveBytes();
        Proc.residentBytes();
        double heap = Heap.liveBytes();
        double resident = Proc.residentBytes();
        double reserved = Proc.virtualBytes();
        worker.park(count);
        ChildJvm.print("heap", (Heap.liveBytes() - heap) / count);
        ChildJvm.print("resident", (Proc.residentBytes() - resident) / count);
        ChildJvm.print("virtual", (Proc.virtualBytes() - reserved) / count);
    }
}
