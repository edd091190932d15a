package io.thrust.examples;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Looks addresses up in a routing table that changes meanwhile, over HTTP, by default on port 8080. */
@Command(
        name = "routes",
        description =
                "Looks addresses up in a routing table that changes meanwhile, over HTTP, by default on port 8080:"
                        + " GET /route/10.1.2.3 has the route of the longest prefix, GET /table tells how many routes there are"
                        + " and how many were replaced.")
final class RoutesCommand implements Callable<Integer> {
    private static final int MOST_LOOPS = 256;

    @Mixin
    private final Address address = new Address();

    @Mixin
    private final HttpLimits limits = new HttpLimits();

    @Option(
            names = "--table",
            paramLabel = "KIND",
            defaultValue = "snapshot",
            converter = TableKind.Converter.class,
            description = "How the loops and the updater share the table: snapshot (replaced as a whole), rwlock (a"
                    + " read-write lock) or concurrent (a ConcurrentHashMap); by default ${DEFAULT-VALUE}.")
    private TableKind table = TableKind.SNAPSHOT;

    @Option(
            names = "--routes",
            paramLabel = "N",
            defaultValue = "10000",
            description =
                    "How many routes the table has, at most " + DemoRoutes.MOST + "; by default ${DEFAULT-VALUE}.")
    private int routes;

    @Option(
            names = "--updates",
            paramLabel = "N",
            defaultValue = "60",
            description = "How many routes are replaced in a minute, 0 for none; by default ${DEFAULT-VALUE}.")
    private int updates;

    @Option(
            names = "--loops",
            paramLabel = "N",
            defaultValue = "1",
            description = "How many event loops serve, each on a thread of its own; more than one need a system that"
                    + " spreads connections among the listeners of a port, as Linux does; by default ${DEFAULT-VALUE}.")
    private int loops;

    @Spec
    @SuppressWarnings("NullAway.Init") // by picocli
    private CommandSpec spec;

    RoutesCommand() {}

    @Override
    public Integer call() throws IOException {
        CommandLine command = spec.commandLine();
        OptionRange.check(spec, "--loops", loops, 1, MOST_LOOPS, "event loops");
        if (loops > 1 && !spreadsConnections()) {
            throw new ParameterException(
                    command,
                    "Invalid value for option '--loops': " + loops + "; " + System.getProperty("os.name")
                            + " does not spread connections among the listeners of a port, Linux does; give 1");
        }
        OptionRange.check(spec, "--updates", updates, 0, RouteUpdates.MOST_PER_MINUTE, "updates per minute");
        List<Prefix> prefixes =
                DemoRoutes.prefixes(OptionRange.check(spec, "--routes", routes, 1, DemoRoutes.MOST, "routes"));
        Duration idleTimeout = limits.idleTimeout();
        RoutingTable table = this.table.create(DemoRoutes.map(prefixes));
        RouteUpdates updates = new RouteUpdates(table, prefixes);
        @Nullable Thread updater = this.updates > 0 ? updates.start(this.updates) : null;
        try {
            Service.run(
                    "routes",
                    address.resolve(HttpCommand.USUAL_PORT),
                    loops,
                    loop -> new RoutesServer(table, updates, idleTimeout),
                    limits.serveOptions(),
                    command.getOut(),
                    command.getErr());
        } finally {
            if (updater != null) {
                updater.interrupt();
            }
        }
        return CommandLine.ExitCode.OK;
    }

    /** Other systems that have SO_REUSEPORT give all connections to one of the listeners. */
    private static boolean spreadsConnections() {
        return System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("linux");
    }
}
