package io.thrust.examples;

import io.thrust.net.TcpStream;
import io.thrust.task.Waker;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Sends back what comes until the peer ends its side, then ends its own. It reads again only when all is written, so a
 * peer that does not read costs the rest of one read.
 */
final class EchoConnection extends Connection {
    private final EchoServer server;

    /** What the peer has not taken yet, from {@link #start} on. */
    private byte @Nullable [] pending;

    private int start;

    EchoConnection(EchoServer server, TcpStream stream) {
        super(stream);
        this.server = server;
    }

    @Override
    boolean serve(Waker waker) throws IOException {
        ByteBuffer buffer = server.buffer;
        byte[] pending = this.pending;
        if (pending != null) {
            buffer.clear().put(pending, start, pending.length - start).flip();
            if (write(buffer, waker) == PENDING) {
                return PENDING;
            }
        }
        while (true) {
            int read = stream.pollRead(buffer.clear(), waker);
            if (read == TcpStream.PENDING) {
                return PENDING;
            }
            if (read == TcpStream.END_OF_STREAM) {
                // Closing ends the outgoing direction after all that was written.
                return READY;
            }
            if (write(buffer.flip(), waker) == PENDING) {
                return PENDING;
            }
        }
    }

    private boolean write(ByteBuffer buffer, Waker waker) throws IOException {
        while (buffer.hasRemaining()) {
            if (stream.pollWrite(buffer, waker) == TcpStream.PENDING) {
                keep(buffer);
                return PENDING;
            }
        }
        pending = null;
        return READY;
    }

    private void keep(ByteBuffer rest) {
        int remaining = rest.remaining();
        byte[] pending = this.pending;
        if (pending == null) {
            pending = new byte[remaining];
            rest.get(pending);
            this.pending = pending;
        }
        start = pending.length - remaining;
    }

    @Override
    void release() {
        pending = null;
    }
}
