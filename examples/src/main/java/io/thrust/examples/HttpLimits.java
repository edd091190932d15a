package io.thrust.examples;

import io.thrust.net.ServeOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that keep clients from holding a server's connections for ever, and from holding too many. */
final class HttpLimits {
    static final int IDLE_SECONDS = 60;
    static final int MOST_CONNECTIONS = 65_536;

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec spec;

    @Option(
            names = "--idle-timeout",
            paramLabel = "SECONDS",
            defaultValue = "" + IDLE_SECONDS,
            description = "Close a connection on which nothing was sent or received for so long; 0 sets no limit; by"
                    + " default ${DEFAULT-VALUE}.")
    private int idleTimeout = IDLE_SECONDS;

    @Option(
            names = "--max-connections",
            paramLabel = "N",
            defaultValue = "" + MOST_CONNECTIONS,
            description = "Serve at most so many connections at a time; the others wait to be accepted; by default"
                    + " ${DEFAULT-VALUE}.")
    private int maxConnections = MOST_CONNECTIONS;

    HttpLimits() {}

    Duration idleTimeout() {
        if (idleTimeout < 0) {
            throw OptionRange.wrong(
                    spec, "--idle-timeout", Integer.toString(idleTimeout), "a number of seconds, 0 for no limit");
        }
        return Duration.ofSeconds(idleTimeout);
    }

    ServeOptions serveOptions() {
        if (maxConnections < 1) {
            throw OptionRange.wrong(
                    spec, "--max-connections", Integer.toString(maxConnections), "a number of connections, at least 1");
        }
        return ServeOptions.DEFAULT.withMaxConnections(maxConnections);
    }
}
