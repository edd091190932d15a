package io.thrust.examples;

import io.thrust.net.ConnectionHandler;
import io.thrust.net.TcpStream;
import io.thrust.task.Async;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Sends back what comes: what the connections of one loop share, a buffer that is in use only within one poll. */
final class EchoServer implements ConnectionHandler {
    private static final int BUFFER_BYTES = 64 * 1024;

    final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);

    @Override
    public Async<@Nullable Void> handle(TcpStream stream) {
        return new EchoConnection(this, stream);
    }
}
