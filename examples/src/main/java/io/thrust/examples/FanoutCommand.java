package io.thrust.examples;

import io.thrust.EventLoop;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Asks several servers for each request and streams what they say, over HTTP, by default on port 8080. */
@Command(
        name = "fanout",
        description =
                "Asks several servers for each request, and sends what each says as it comes, over HTTP, by default"
                        + " on port 8080: GET /fanout/QUERY. The servers answer a line with a line, as echo-server does.")
final class FanoutCommand implements Callable<Integer> {
    private static final String NEVER = "never";
    private static final int MOST_MILLIS = 600_000;
    private static final int RESOLVER_THREADS = 4;

    @Mixin
    private final Address address = new Address();

    @Mixin
    private final HttpLimits limits = new HttpLimits();

    @Option(
            names = "--downstream",
            paramLabel = "[NAME=]HOST:PORT",
            converter = DownstreamConverter.class,
            description = "A server to ask; may be given several times.")
    private List<Downstream> downstreams = new ArrayList<>();

    @Option(
            names = "--demo",
            paramLabel = "MILLISECONDS",
            split = ",",
            description = "Start servers to ask, one for each of these, which answer after so long, or " + NEVER
                    + "; without any --downstream by default 20,100,300," + NEVER + ".")
    private List<String> demos = new ArrayList<>();

    @Option(
            names = "--timeout",
            paramLabel = "MILLISECONDS",
            defaultValue = "400",
            description = "How long to wait for each; by default ${DEFAULT-VALUE}.")
    private int timeout;

    @Option(
            names = "--total-timeout",
            paramLabel = "MILLISECONDS",
            defaultValue = "500",
            description = "How long to wait for all of them; by default ${DEFAULT-VALUE}.")
    private int totalTimeout;

    @Spec
    @SuppressWarnings("NullAway.Init") // by picocli
    private CommandSpec spec;

    FanoutCommand() {}

    @Override
    public Integer call() throws IOException {
        CommandLine command = spec.commandLine();
        Duration timeout = millis("--timeout", this.timeout);
        Duration totalTimeout = millis("--total-timeout", this.totalTimeout);
        Duration idleTimeout = limits.idleTimeout();
        List<@Nullable Duration> latencies = latencies();
        ExecutorService resolver = Executors.newFixedThreadPool(RESOLVER_THREADS, FanoutCommand::resolver);
        try {
            Service.run(
                    "fanout",
                    address.resolve(HttpCommand.USUAL_PORT),
                    1,
                    loop -> new FanoutServer(
                            new Fanout(downstreams(loop, latencies), timeout, totalTimeout, resolver), idleTimeout),
                    limits.serveOptions(),
                    command.getOut(),
                    command.getErr());
        } finally {
            resolver.shutdownNow();
        }
        return CommandLine.ExitCode.OK;
    }

    private Duration millis(String option, int millis) {
        return Duration.ofMillis(OptionRange.check(spec, option, millis, 1, MOST_MILLIS, "milliseconds"));
    }

    /** Of the servers to start; null for never. */
    private List<@Nullable Duration> latencies() {
        List<String> given = demos.isEmpty() && downstreams.isEmpty() ? List.of("20", "100", "300", NEVER) : demos;
        List<@Nullable Duration> latencies = new ArrayList<>();
        for (String demo : given) {
            latencies.add(demo.equals(NEVER) ? null : latency(demo));
        }
        return latencies;
    }

    private Duration latency(String demo) {
        int millis;
        try {
            millis = Integer.parseInt(demo);
        } catch (NumberFormatException e) {
            millis = -1;
        }
        if (millis < 0 || millis > MOST_MILLIS) {
            throw OptionRange.wrong(
                    spec,
                    "--demo",
                    "\"" + demo + "\"",
                    "numbers of milliseconds from 0 to " + MOST_MILLIS + ", or " + NEVER + ", separated by commas");
        }
        return Duration.ofMillis(millis);
    }

    private List<Downstream> downstreams(EventLoop loop, List<@Nullable Duration> latencies) throws IOException {
        List<Downstream> all = new ArrayList<>(downstreams);
        for (Duration latency : latencies) {
            all.add(DemoDownstream.start(loop, latency));
        }
        return all;
    }

    private static Thread resolver(Runnable work) {
        Thread thread = new Thread(work, "resolver");
        thread.setDaemon(true);
        return thread;
    }
}
