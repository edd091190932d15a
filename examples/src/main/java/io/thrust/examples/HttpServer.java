package io.thrust.examples;

import io.thrust.net.ConnectionHandler;
import io.thrust.net.TcpStream;
import io.thrust.task.Async;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@code GET /} with "Hello, World!": what the connections of one loop share. A buffer is in use only within one
 * poll of one connection, so one of each is enough for any number of them.
 */
final class HttpServer implements ConnectionHandler {
    private static final int INPUT_BYTES = 64 * 1024;

    /** Where all connections read to. */
    final ByteBuffer input = ByteBuffer.allocateDirect(INPUT_BYTES);

    /** What was read, for the parser: an array is looked at faster. */
    final byte[] bytes = new byte[INPUT_BYTES];

    /** The kinds of the answers to what was read; there are fewer of them than bytes. */
    final byte[] kinds = new byte[INPUT_BYTES];

    final Answers answers = new Answers();

    private final Duration idleTimeout;

    /**
     * Creates one.
     *
     * @param idleTimeout how long a connection may wait without anything being sent or received; zero is for ever
     */
    HttpServer(Duration idleTimeout) {
        this.idleTimeout = idleTimeout;
    }

    @Override
    public Async<@Nullable Void> handle(TcpStream stream) {
        stream.setIdleTimeout(idleTimeout);
        return new HttpConnection(this, stream);
    }
}
