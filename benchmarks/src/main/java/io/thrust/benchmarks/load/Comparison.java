package io.thrust.benchmarks.load;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Loads servers in interleaved rounds, A B C A B C; ratios are those of one round, and of these the median. */
final class Comparison {
    /** The warm-up goes on while the compiler threads take more than this of the server's time, up to five times. */
    private static final double QUIET_COMPILER = 0.05;

    private static final int MOST_WARM_UPS = 5;

    private final Conditions conditions;
    private final Client client;
    private final int rounds;

    Comparison(Conditions conditions, int rounds) {
        this.conditions = conditions;
        this.client = conditions.client();
        this.rounds = rounds;
    }

    /** By load, by server: the windows of all rounds. */
    Map<Load, Map<String, List<Window>>> run(List<ServerSpec> specs, List<Load> loads)
            throws IOException, InterruptedException {
        Map<Load, Map<String, List<Window>>> results = new LinkedHashMap<>();
        for (String mode : List.of("http", "echo")) {
            List<Load> ofMode =
                    loads.stream().filter(load -> load.mode().equals(mode)).toList();
            List<ServerProcess> servers = new ArrayList<>();
            try {
                for (ServerSpec spec : specs) {
                    if (!ofMode.isEmpty() && (spec.echoes() || mode.equals("http"))) {
                        ServerProcess server = conditions.start(spec, mode);
                        servers.add(server);
                        for (Load load : ofMode) {
                            warmUp(server, load);
                        }
                        server.pause();
                    }
                }
                for (Load load : ofMode) {
                    results.put(load, rounds(servers, load));
                }
            } finally {
                for (ServerProcess server : servers) {
                    server.close();
                }
            }
        }
        return results;
    }

    private void warmUp(ServerProcess server, Load load) throws IOException, InterruptedException {
        for (int i = 0; i < MOST_WARM_UPS && conditions.warmUp() > 0; i++) {
            double compiler = ProcStat.compilerSeconds(server.pid());
            double cpu = ProcStat.cpuSeconds(server.pid());
            client.run(load, server.port(), conditions.warmUp());
            compiler = ProcStat.compilerSeconds(server.pid()) - compiler;
            if (compiler < QUIET_COMPILER * (ProcStat.cpuSeconds(server.pid()) - cpu)) {
                return;
            }
        }
    }

    private Map<String, List<Window>> rounds(List<ServerProcess> servers, Load load)
            throws IOException, InterruptedException {
        Map<String, List<Window>> windows = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            for (ServerProcess server : servers) {
                server.resume();
                Window window = Window.measure(
                        server, conditions.processors(), () -> client.run(load, server.port(), conditions.seconds()));
                server.pause();
                windows.computeIfAbsent(server.name(), name -> new ArrayList<>())
                        .add(window);
            }
        }
        return windows;
    }

    /** A Markdown table for each load. */
    static void print(Map<Load, Map<String, List<Window>>> results, String base, PrintStream out) {
        results.forEach((load, windows) -> {
            List<Window> bases = windows.getOrDefault(base, List.of());
            out.printf("%n### %s%n%n", load);
            out.printf("| server | operations/s | CPU us per operation | x %s | range | p50 us | p99 us |", base);
            out.printf(" p99 x %s | foreign CPU | RSS MiB | errors |%n", base);
            out.println("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|");
            windows.forEach((name, list) -> out.println(row(name, list, bases)));
        });
    }

    private static String row(String name, List<Window> windows, List<Window> bases) {
        List<Double> ratios = ratios(windows, bases, Window::cpuPerMillion);
        List<Double> tails = ratios(windows, bases, window -> window.outcome().p99Micros());
        String range = ratios.isEmpty() ? "-" : "%.2f-%.2f".formatted(ratios.get(0), ratios.get(ratios.size() - 1));
        String errors = Outcome.firstErrors(windows.stream().map(Window::outcome));
        return "| %s | %.0f | %.2f | %s | %s | %.0f | %.0f | %s | %.2f | %.0f | %s |"
                .formatted(
                        name,
                        Median.of(windows, window -> window.outcome().perSecond()),
                        Median.of(windows, Window::cpuPerMillion),
                        median(ratios),
                        range,
                        Median.of(windows, window -> window.outcome().p50Micros()),
                        Median.of(windows, window -> window.outcome().p99Micros()),
                        median(tails),
                        Median.of(windows, Window::foreignShare),
                        Median.of(windows, Window::residentMegabytes),
                        errors);
    }

    /** By round, in ascending order; none if the base was not measured. */
    private static List<Double> ratios(List<Window> windows, List<Window> bases, ToDoubleFunction<Window> figure) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < Math.min(windows.size(), bases.size()); i++) {
            ratios.add(figure.applyAsDouble(windows.get(i)) / Math.max(1e-9, figure.applyAsDouble(bases.get(i))));
        }
        ratios.sort(null);
        return ratios;
    }

    private static String median(List<Double> ratios) {
        return ratios.isEmpty() ? "-" : "%.2f".formatted(Median.of(ratios, ratio -> ratio));
    }
}
