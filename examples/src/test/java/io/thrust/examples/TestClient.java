package io.thrust.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A blocking client, independent of what it tests. */
final class TestClient implements AutoCloseable {
    final Socket socket = new Socket();

    TestClient(InetSocketAddress address) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) Patience.PATIENCE.toMillis());
        socket.connect(address);
    }

    TestClient send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    TestClient send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    /** Reads as many bytes as this text has, which must be these. */
    TestClient expect(String text) throws IOException {
        byte[] bytes = socket.getInputStream().readNBytes(text.length());
        assertThat(new String(bytes, StandardCharsets.ISO_8859_1)).isEqualTo(text);
        return this;
    }

    String readLine() throws IOException {
        StringBuilder line = new StringBuilder();
        int c;
        while ((c = socket.getInputStream().read()) >= 0) {
            line.append((char) c);
            if (c == '\n') {
                break;
            }
        }
        return line.toString();
    }

    String readToEnd() throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    void expectEnd() throws IOException {
        assertThat(readToEnd()).isEmpty();
    }

    TestClient shutdownOutput() throws IOException {
        socket.shutdownOutput();
        return this;
    }

    /** Closes so that the peer sees a reset. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
