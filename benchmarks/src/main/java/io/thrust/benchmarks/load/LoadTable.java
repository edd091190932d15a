package io.thrust.benchmarks.load;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Throughput and latency of each server under wrk, and whether it comes back to where it was. */
final class LoadTable {
    /** How long a server is usually watched without load. */
    static final long IDLE_SECONDS = 10;

    private final Conditions conditions;
    private final Client client;
    private final long idleSeconds;

    LoadTable(Conditions conditions, long idleSeconds) {
        this.idleSeconds = idleSeconds;
        this.conditions = conditions;
        this.client = conditions.client();
    }

    void print(List<ServerSpec> specs, List<Integer> connections, PrintStream out)
            throws IOException, InterruptedException {
        for (ServerSpec spec : specs) {
            out.printf("%n### %s%n%n", spec.name());
            try (ServerProcess server = conditions.start(spec, "http")) {
                if (conditions.warmUp() > 0) {
                    client.wrk(100, server.port(), conditions.warmUp(), true);
                    client.wrk(100, server.port(), conditions.warmUp(), false);
                }
                String before = idle(server);
                out.println("| connections | keep-alive | requests | requests/s | p50 us | p75 us | p90 us | p99 us |"
                        + " CPU us per request | foreign CPU | errors |");
                out.println("|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|---|");
                long closed = 0;
                for (boolean keepAlive : new boolean[] {false, true}) {
                    for (int count : connections) {
                        Window window = Window.measure(
                                server,
                                conditions.processors(),
                                () -> client.wrk(count, server.port(), conditions.seconds(), keepAlive));
                        out.println(row(count, keepAlive, window));
                        closed += keepAlive ? 0 : window.outcome().operations();
                    }
                }
                out.printf("%nIdle before: %s%n%n", before);
                out.printf("Idle after, %d connections having been opened and closed: %s%n", closed, idle(server));
            }
        }
    }

    private static String row(int connections, boolean keepAlive, Window window) {
        Outcome outcome = window.outcome();
        return "| %d | %s | %d | %.0f | %.0f | %.0f | %.0f | %.0f | %.2f | %.2f | %s |"
                .formatted(
                        connections,
                        keepAlive ? "yes" : "no",
                        outcome.operations(),
                        outcome.perSecond(),
                        outcome.p50Micros(),
                        outcome.p75Micros(),
                        outcome.p90Micros(),
                        outcome.p99Micros(),
                        window.cpuPerMillion(),
                        window.foreignShare(),
                        Outcome.firstErrors(Stream.of(outcome)));
    }

    private String idle(ServerProcess server) throws InterruptedException {
        TimeUnit.SECONDS.sleep(1);
        double cpu = ProcStat.cpuSeconds(server.pid());
        TimeUnit.SECONDS.sleep(idleSeconds);
        double share = (ProcStat.cpuSeconds(server.pid()) - cpu) / Math.max(1, idleSeconds);
        return "%.1f %% CPU, %d descriptors, %.0f MiB"
                .formatted(100 * share, ProcStat.descriptors(server.pid()), ProcStat.residentMegabytes(server.pid()));
    }
}
