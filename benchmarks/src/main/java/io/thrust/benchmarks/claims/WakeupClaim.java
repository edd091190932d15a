package io.thrust.benchmarks.claims;

import io.thrust.benchmarks.peers.CProgram;
import io.thrust.poll.DiscoveredProvider;
import io.thrust.poll.Pollers;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How long it takes to wake a thread that waits in a poller, beside a C program that does no more than that. */
record WakeupClaim(int wakes, int rounds, PrintStream out) {
    private static final String LIMIT = "c";
    private static final List<String> OPTIONS = List.of("-XX:+UseSerialGC", "-Xms64m", "-Xmx64m");
    /** Before each wake-up, so that the other thread is in its wait by then, in nanoseconds. */
    private static final long SPIN = 50_000;

    void print() throws IOException, InterruptedException {
        Path scratch = Files.createTempDirectory("thrust-claims");
        try {
            Path limit = CProgram.compile("wakeup.c", scratch, "-pthread");
            print(limit);
            if (limit != null) {
                Files.delete(limit);
            }
        } finally {
            Files.deleteIfExists(scratch.resolve("wakeup.c"));
            Files.delete(scratch);
        }
    }

    private void print(@Nullable Path limit) throws IOException, InterruptedException {
        Map<String, List<Figures>> results = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            if (limit != null) {
                results.computeIfAbsent(LIMIT, name -> new ArrayList<>()).add(runLimit(limit));
            }
            for (String kind : kinds()) {
                results.computeIfAbsent(kind, name -> new ArrayList<>())
                        .add(ChildJvm.run(OPTIONS, WakeupProbe.class, kind, wakes, SPIN));
            }
        }
        out.printf("%n%,d wake-ups each in %d rounds; medians of the rounds%n", wakes, rounds);
        String base = limit != null ? LIMIT : WakeupProbe.SELECTOR;
        Table table = new Table(
                "waits",
                "p50 µs",
                "p99 µs",
                "p50 x " + base,
                "p99 x " + base,
                "range of p50 x " + base,
                "waits for a monitor, per wake-up");
        List<Figures> basis = results.getOrDefault(base, List.of());
        results.forEach((name, figures) -> {
            double[] ratios = sortedRatios(figures, basis, "p50");
            table.row(
                    name,
                    median(figures.stream()
                                    .mapToDouble(one -> one.get("p50"))
                                    .sorted()
                                    .toArray())
                            / 1e3,
                    median(figures.stream()
                                    .mapToDouble(one -> one.get("p99"))
                                    .sorted()
                                    .toArray())
                            / 1e3,
                    median(ratios),
                    median(sortedRatios(figures, basis, "p99")),
                    Table.text(ratios[0]) + " to " + Table.text(ratios[ratios.length - 1]),
                    median(figures.stream()
                            .mapToDouble(one -> one.has("blocked") ? one.get("blocked") : 0)
                            .sorted()
                            .toArray()));
        });
        table.print(out);
    }

    private static List<String> kinds() {
        List<String> pollers = Pollers.discover().stream()
                .filter(DiscoveredProvider::isAvailable)
                .map(DiscoveredProvider::name)
                .toList();
        List<String> kinds = new ArrayList<>(List.of(WakeupProbe.SELECTOR));
        kinds.addAll(pollers);
        pollers.forEach(poller -> kinds.add(WakeupProbe.TASK_ON + poller));
        return kinds;
    }

    /** Ratios within each round. */
    private static double[] sortedRatios(List<Figures> figures, List<Figures> basis, String figure) {
        double[] ratios = new double[figures.size()];
        Arrays.setAll(ratios, i -> figures.get(i).get(figure) / basis.get(i).get(figure));
        Arrays.sort(ratios);
        return ratios;
    }

    private static double median(double[] sorted) {
        return sorted[sorted.length / 2];
    }

    private Figures runLimit(Path limit) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(limit.toString(), String.valueOf(wakes), String.valueOf(SPIN))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        if (process.waitFor() != 0) {
            throw new IOException(limit + " failed with status " + process.exitValue());
        }
        Figures figures = new Figures();
        printed.lines().forEach(figures::add);
        return figures;
    }
}
