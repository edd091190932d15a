package io.thrust.examples;

import io.thrust.net.TcpStream;
import io.thrust.task.Async;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;

/**
 * A server that answers a line with a line, and what it is called.
 *
 * @param host a name, which is resolved for each call, or an address
 */
record Downstream(String name, String host, int port) {
    /** The longest answer. */
    static final int MOST_BYTES = 4 * 1024;

    /**
     * Sends the query on a connection of its own and reads the answer, without the end of its line. Fails with an {@link
     * IOException} if there is none. Cancelling it closes the connection.
     *
     * @param blocking where the name is resolved, which blocks
     */
    Async<String> ask(String query, Executor blocking) {
        return Async.<InetAddress>offload(blocking, () -> InetAddress.getByName(host))
                .then(address -> TcpStream.connect(new InetSocketAddress(address, port)))
                .then(stream -> exchange(stream, query));
    }

    private static Async<String> exchange(TcpStream stream, String query) {
        ByteBuffer line = ByteBuffer.wrap((query + "\n").getBytes(StandardCharsets.UTF_8));
        return stream.writeAll(line).then(written -> readLine(stream)).closing(stream);
    }

    /** Reads to the end of a line; fails if there is none. */
    static Async<String> readLine(TcpStream stream) {
        ByteBuffer input = ByteBuffer.allocate(MOST_BYTES);
        boolean[] ended = {false};
        return Async.loop(() -> stream.read(input).map(read -> {
                    ended[0] = read == TcpStream.END_OF_STREAM;
                    return !ended[0] && input.hasRemaining() && lineEnd(input) < 0;
                }))
                .then(none -> {
                    int end = lineEnd(input);
                    if (end < 0) {
                        return Async.failed(new IOException(
                                ended[0]
                                        ? "it closed the connection before the end of a line"
                                        : "its line is longer than " + MOST_BYTES + " bytes"));
                    }
                    return Async.ready(new String(input.array(), 0, end, StandardCharsets.UTF_8));
                });
    }

    private static int lineEnd(ByteBuffer input) {
        for (int i = 0; i < input.position(); i++) {
            if (input.get(i) == '\n') {
                return i;
            }
        }
        return -1;
    }
}
