package io.thrust.benchmarks.claims;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

/** A table that is replaced as a whole, by a snapshot, under a read-write lock, and in a concurrent map. */
record SnapshotClaim(int routes, List<Integer> readers, List<Integer> updates, double seconds, PrintStream out) {
    private static final List<String> OPTIONS = List.of("-XX:+UseSerialGC", "-Xms512m", "-Xmx512m");
    private static final List<String> KINDS = List.of("snapshot", "read-write lock", "concurrent map");

    void print() throws IOException, InterruptedException {
        out.printf("%n%,d routes; a read looks up two, and is mixed if they are of different editions%n", routes);
        for (int number : readers) {
            out.println("\n## " + number + (number == 1 ? " reader" : " readers"));
            Table table = new Table(
                    "table",
                    "updates/min",
                    "reads, M/s",
                    "M per CPU second",
                    "p50 ns",
                    "p99 ns",
                    "max µs",
                    "mixed reads",
                    "CPU µs per update",
                    "CPU % for updates");
            for (int perMinute : updates) {
                for (String kind : KINDS) {
                    row(table, kind, number, perMinute);
                }
            }
            table.print(out);
        }
    }

    private void row(Table table, String kind, int number, int perMinute) throws IOException, InterruptedException {
        Figures figures =
                ChildJvm.run(OPTIONS, SnapshotProbe.class, kind, routes, number, perMinute, Math.round(seconds * 1e3));
        double each = figures.get("cpu per update");
        double achieved = figures.get("updates") / seconds;
        double perSecond = perMinute == 0 ? achieved : perMinute / 60.0;
        table.row(
                kind,
                perMinute == 0 ? "as many as possible: " + Table.text(achieved * 60) : String.valueOf(perMinute),
                figures.get("reads") / 1e6,
                figures.get("reads per cpu") / 1e6,
                figures.get("p50"),
                figures.get("p99"),
                figures.get("max") / 1e3,
                figures.get("mixed"),
                each / 1e3,
                each * perSecond / 1e7);
    }
}
