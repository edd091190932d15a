package io.thrust.benchmarks.claims;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

/** Platform threads, virtual threads and tasks side by side. */
final class ThreadsClaim {
    private static final List<String> KINDS = List.of(Worker.PLATFORM, Worker.VIRTUAL, Worker.TASK, Worker.REMOTE);
    private static final List<String> OPTIONS = List.of("-XX:+UseSerialGC", "-Xms256m", "-Xmx256m");

    private final int samples;
    private final List<Integer> parked;
    private final PrintStream out;

    /**
     * Says what to measure.
     *
     * @param samples how many spawns and rounds are timed of each kind
     * @param parked of how many parked ones the memory is taken
     */
    ThreadsClaim(int samples, List<Integer> parked, PrintStream out) {
        this.samples = samples;
        this.parked = parked;
        this.out = out;
    }

    private static boolean isHere(String kind) {
        return !kind.equals(Worker.VIRTUAL) || VirtualThreads.exist();
    }

    void print() throws IOException, InterruptedException {
        out.println("\n## Spawn one, wait for its end");
        printTimes("join");
        out.println("\n## Create and start, waiting for none");
        Table created = new Table("kind", "per second");
        for (String kind : KINDS) {
            Object perSecond = isHere(kind)
                    ? ChildJvm.run(OPTIONS, ThreadsProbe.class, kind, "create", samples)
                            .get("per second")
                    : "not on this JDK";
            created.row(kind, perSecond);
        }
        created.print(out);
        out.println("\n## Hand over to one that waits, and back");
        printTimes("handover");
        out.println("\n## Memory of each of so many parked ones, bytes");
        Table memory = new Table("kind", "parked", "Java heap", "resident beside the heap", "address space");
        for (String kind : KINDS) {
            for (int count : kind.equals(Worker.REMOTE) ? List.<Integer>of() : parked) {
                if (isHere(kind)) {
                    Figures figures = ChildJvm.run(Heap.EXACT, ThreadsProbe.class, kind, "park", count);
                    memory.row(kind, count, figures.get("heap"), figures.get("resident"), figures.get("virtual"));
                } else {
                    memory.row(kind, count, "not on this JDK", "-", "-");
                }
            }
        }
        memory.print(out);
    }

    private void printTimes(String what) throws IOException, InterruptedException {
        Table table = Times.columns("kind");
        for (String kind : KINDS) {
            if (isHere(kind)) {
                Times.row(table, kind, ChildJvm.run(OPTIONS, ThreadsProbe.class, kind, what, samples));
            } else {
                Times.emptyRow(table, kind + " (not on this JDK)");
            }
        }
        table.print(out);
    }
}
