package io.thrust.benchmarks.load;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Latency at rates that do not depend on the answers: shares of what the slowest of the servers can do. In interleaved
 * rounds, of which each figure is the median: a machine that stalls now and then would fill every p99 otherwise.
 */
final class OpenLoad {
    private final Conditions conditions;
    private final Client client;
    private final int rounds;

    OpenLoad(Conditions conditions, int rounds) {
        this.conditions = conditions;
        this.rounds = rounds;
        this.client = conditions.client();
    }

    void print(List<ServerSpec> specs, int connections, List<Integer> shares, PrintStream out)
            throws IOException, InterruptedException {
        // The client is the same in all of these, so that its own limit is within the capacity.
        Load load = new Load("http", connections);
        List<ServerProcess> servers = new ArrayList<>();
        try {
            double capacity = Double.POSITIVE_INFINITY;
            for (ServerSpec spec : specs) {
                ServerProcess server = conditions.start(spec, "http");
                servers.add(server);
                if (conditions.warmUp() > 0) {
                    client.runOpen(load, server.port(), conditions.warmUp(), 0);
                }
                capacity = Math.min(
                        capacity,
                        client.runOpen(load, server.port(), conditions.seconds(), 0)
                                .perSecond());
                server.pause();
            }
            out.printf("%nCapacity of the slowest: %.0f requests/s on %d connections%n%n", capacity, connections);
            out.println("| load | server | requests/s | p50 us | p75 us | p90 us | p99 us | worst p99 us | errors |");
            out.println("|--:|---|--:|--:|--:|--:|--:|--:|---|");
            for (int share : shares) {
                Map<String, List<Outcome>> outcomes = new LinkedHashMap<>();
                for (int round = 0; round < rounds; round++) {
                    for (ServerProcess server : servers) {
                        server.resume();
                        Outcome outcome =
                                client.runOpen(load, server.port(), conditions.seconds(), capacity * share / 100);
                        server.pause();
                        outcomes.computeIfAbsent(server.name(), name -> new ArrayList<>())
                                .add(outcome);
                    }
                }
                outcomes.forEach((name, list) -> out.println(row(share, name, list)));
            }
        } finally {
            for (ServerProcess server : servers) {
                server.close();
            }
        }
    }

    private static String row(int share, String name, List<Outcome> outcomes) {
        double worst = outcomes.stream().mapToDouble(Outcome::p99Micros).max().orElse(Double.NaN);
        return "| %d %% | %s | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f | %s |"
                .formatted(
                        share,
                        name,
                        Median.of(outcomes, Outcome::perSecond),
                        Median.of(outcomes, Outcome::p50Micros),
                        Median.of(outcomes, Outcome::p75Micros),
                        Median.of(outcomes, Outcome::p90Micros),
                        Median.of(outcomes, Outcome::p99Micros),
                        worst,
                        Outcome.firstErrors(outcomes.stream()));
    }
}
