package io.thrust.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** A server that does what the test tells it to, one call after the other. */
final class ScriptedDownstream implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    final Downstream downstream;

    ScriptedDownstream(String name) throws IOException {
        listener.setSoTimeout((int) Patience.PATIENCE.toMillis());
        downstream = new Downstream(name, "127.0.0.1", listener.getLocalPort());
    }

    /** Accepts a call, and reads the query, which must be this. */
    Socket accept(String query) throws IOException {
        Socket call = listener.accept();
        call.setSoTimeout((int) Patience.PATIENCE.toMillis());
        byte[] line = call.getInputStream().readNBytes(query.length() + 1);
        assertThat(new String(line, StandardCharsets.US_ASCII)).isEqualTo(query + "\n");
        return call;
    }

    static void answer(Socket call, String text) throws IOException {
        call.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** The caller has closed the call. */
    static void expectEnd(Socket call) throws IOException {
        try {
            assertThat(call.getInputStream().read()).isEqualTo(-1);
        } catch (SocketException e) {
            // A reset is an end, too.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
