package io.thrust.benchmarks.load;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Latency at rates that do not depend on the answers: shares of what the slowest of the servers can do. */
final class OpenLoad {
    private final Conditions conditions;
    private final Client client;

    OpenLoad(Conditions conditions) {
        this.conditions = conditions;
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
            out.println("| load | server | requests/s | p50 us | p75 us | p90 us | p99 us | errors |");
            out.println("|--:|---|--:|--:|--:|--:|--:|---|");
            for (int share : shares) {
                for (ServerProcess server : servers) {
                    server.resume();
                    Outcome outcome = client.runOpen(load, server.port(), conditions.seconds(), capacity * share / 100);
                    server.pause();
                    out.printf(
                            "| %d %% | %s | %.0f | %.0f | %.0f | %.0f | %.0f | %s |%n",
                            share,
                            server.name(),
                            outcome.perSecond(),
                            outcome.p50Micros(),
                            outcome.p75Micros(),
                            outcome.p90Micros(),
                            outcome.p99Micros(),
                            outcome.errors().isEmpty() ? "none" : outcome.errors());
                }
            }
        } finally {
            for (ServerProcess server : servers) {
                server.close();
            }
        }
    }
}
