package io.thrust.net;

import io.thrust.log.Log;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * How {@link TcpListener#serve} accepts. Immutable; the {@code with...} methods return a changed copy.
 *
 * @param maxConnections how many connections are served at a time, at least 1; the others wait in the backlog
 * @param firstPause how long to wait after an accept that failed, most likely for others to close their descriptors;
 *     doubled with each further failure in a row, and positive
 * @param longestPause the most that such a pause grows to
 * @param onFailure told of what went wrong with accepting a connection or with starting to serve it, at most once a
 *     second; on the loop's thread. An error that the handler threw is the cause of an {@link
 *     java.util.concurrent.ExecutionException}
 */
public record ServeOptions(
        int maxConnections, Duration firstPause, Duration longestPause, Consumer<? super Exception> onFailure) {

    private static final Log LOG = new Log("io.thrust.net");

    /** Any number of connections, pauses of 10 ms to 1 s, failures logged as warnings of {@code io.thrust.net}. */
    public static final ServeOptions DEFAULT =
            new ServeOptions(Integer.MAX_VALUE, Duration.ofMillis(10), Duration.ofSeconds(1), ServeOptions::log);

    public ServeOptions {
        Objects.requireNonNull(onFailure, "onFailure");
        if (maxConnections < 1) {
            throw new IllegalArgumentException("maxConnections is " + maxConnections + ", but must be at least 1");
        }
        if (firstPause.isNegative() || firstPause.isZero()) {
            throw new IllegalArgumentException("firstPause is " + firstPause + ", but must be positive");
        }
        if (longestPause.compareTo(firstPause) < 0) {
            throw new IllegalArgumentException(
                    "longestPause is " + longestPause + ", but must be at least firstPause, " + firstPause);
        }
    }

    private static void log(Exception failure) {
        LOG.warning(() -> "cannot accept a connection, going on", failure);
    }

    public ServeOptions withMaxConnections(int maxConnections) {
        return new ServeOptions(maxConnections, firstPause, longestPause, onFailure);
    }

    public ServeOptions withPauses(Duration firstPause, Duration longestPause) {
        return new ServeOptions(maxConnections, firstPause, longestPause, onFailure);
    }

    public ServeOptions withOnFailure(Consumer<? super Exception> onFailure) {
        return new ServeOptions(maxConnections, firstPause, longestPause, onFailure);
    }
}
