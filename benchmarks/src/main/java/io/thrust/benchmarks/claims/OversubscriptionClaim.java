package io.thrust.benchmarks.claims;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

/** The same work on more and more threads, and on more and more loops. */
record OversubscriptionClaim(int pieces, List<Integer> threads, List<Integer> loops, PrintStream out) {
    private static final List<String> OPTIONS = List.of("-XX:+UseSerialGC", "-Xms256m", "-Xmx256m");

    void print() throws IOException, InterruptedException {
        print("Platform threads", Worker.PLATFORM, threads);
        if (VirtualThreads.exist()) {
            print("Virtual threads", Worker.VIRTUAL, threads);
        } else {
            out.println("\n## Virtual threads: not on this JDK");
        }
        print("Event loops, with 64 tasks in all", OversubscriptionProbe.LOOP, loops);
    }

    private void print(String title, String kind, List<Integer> numbers) throws IOException, InterruptedException {
        out.println("\n## " + title);
        Table table = new Table(
                "how many",
                "pieces/s",
                "processors got",
                "piece p50 µs",
                "p99 µs",
                "max µs",
                "involuntary switches",
                "named so in /proc");
        for (int number : numbers) {
            Figures figures = ChildJvm.run(OPTIONS, OversubscriptionProbe.class, kind, number, pieces);
            table.row(
                    String.valueOf(number),
                    figures.get("per second"),
                    figures.get("processors"),
                    figures.get("p50") / 1e3,
                    figures.get("p99") / 1e3,
                    figures.get("max") / 1e3,
                    figures.get("switches"),
                    figures.get("named"));
        }
        table.print(out);
    }
}
