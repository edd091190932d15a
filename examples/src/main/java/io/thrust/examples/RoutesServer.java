package io.thrust.examples;

import io.thrust.net.ConnectionHandler;
import io.thrust.net.TcpStream;
import io.thrust.task.Async;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@code GET /route/ADDRESS} from a routing table that it shares with the servers of other loops: what the
 * connections of one loop share. A buffer is in use only within one poll of one connection.
 */
final class RoutesServer implements ConnectionHandler {
    private static final int INPUT_BYTES = 16 * 1024;

    /** No request is shorter. */
    private static final int LEAST_REQUEST_BYTES = "G / HTTP/1.1\r\nHost:\r\n\r\n".length();

    /** No answer is longer. */
    private static final int MOST_ANSWER_BYTES = 256;

    /** Where all connections read to. */
    final ByteBuffer input = ByteBuffer.allocateDirect(INPUT_BYTES);

    /** What was read, for the parser. */
    final byte[] bytes = new byte[INPUT_BYTES];

    /** The answers to what was read, for which there is always room: two requests more began or will end elsewhere. */
    final ByteBuffer output = ByteBuffer.allocateDirect((INPUT_BYTES / LEAST_REQUEST_BYTES + 2) * MOST_ANSWER_BYTES);

    final RoutingTable table;
    final RouteUpdates updates;
    private final Duration idleTimeout;

    RoutesServer(RoutingTable table, RouteUpdates updates, Duration idleTimeout) {
        this.table = table;
        this.updates = updates;
        this.idleTimeout = idleTimeout;
    }

    @Override
    public Async<@Nullable Void> handle(TcpStream stream) {
        stream.setIdleTimeout(idleTimeout);
        return new RoutesConnection(this, stream);
    }
}
