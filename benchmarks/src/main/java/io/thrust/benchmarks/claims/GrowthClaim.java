package io.thrust.benchmarks.claims;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** What one task and one timer cost as their number grows. */
record GrowthClaim(List<Integer> tasks, List<Integer> timers, PrintStream out) {
    private static final List<String> OPTIONS =
            List.of("-XX:+UseSerialGC", "-Xms1g", "-Xmx1g", "-Xmn600m", "-XX:+AlwaysPreTouch");

    void print() throws IOException, InterruptedException {
        out.println("\n## ns for each of so many tasks");
        print(tasks, List.of("spawn", "yield"), List.of("spawn and end", "wake itself, be polled"));
        out.println("\n## ns for each of so many timers");
        print(timers, List.of("fire", "cancel"), List.of("spawn, sleep, fire", "start and cancel one more"));
    }

    private void print(List<Integer> numbers, List<String> measured, List<String> titles)
            throws IOException, InterruptedException {
        List<String> heads = new ArrayList<>(List.of("how many"));
        heads.addAll(titles);
        Table table = new Table(heads.toArray(String[]::new));
        for (int number : numbers) {
            List<Object> row = new ArrayList<>(List.of(String.format("%,d", number)));
            for (String one : measured) {
                row.add(ChildJvm.run(OPTIONS, GrowthProbe.class, one, number).get("ns"));
            }
            table.row(row.toArray());
        }
        table.print(out);
    }
}
