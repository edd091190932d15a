package io.thrust.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.thrust.poll.PollerProvider;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The echo server over real sockets, on each backend. */
@Tag("backends")
@ParameterizedClass(name = "{0}")
@MethodSource("backends")
class EchoServerTest {
    @Parameter
    PollerProvider provider;

    RunningServer server;

    static Stream<Named<PollerProvider>> backends() {
        return Backends.tested();
    }

    @BeforeEach
    void start() throws IOException {
        server = RunningServer.echo(provider);
    }

    @AfterEach
    void stop() throws Exception {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void whatComesGoesBack() throws IOException {
        try (TestClient client = server.connect();
                TestClient other = server.connect()) {
            for (int i = 0; i < 300; i++) {
                client.send("a" + i);
                other.send("b" + i).expect("b" + i);
                client.expect("a" + i);
            }
        }
    }

    @Test
    void allIsSentBackAfterTheEndOfTheStream() throws IOException {
        try (TestClient client = server.connect()) {
            client.send("all of it").shutdownOutput().expect("all of it").expectEnd();
            assertThat(Patience.until(() -> server.connections() == 0)).isTrue();
        }
    }

    @Test
    void aMebibyteReturnsWholeToAClientThatReadsLate() throws Exception {
        byte[] bytes = new byte[1 << 20];
        new Random(1).nextBytes(bytes);
        try (TestClient client = server.connect()) {
            client.socket.setReceiveBufferSize(16 * 1024);
            Thread writer = new Thread(() -> {
                try {
                    client.send(bytes).shutdownOutput();
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            writer.start();
            writer.join(Patience.SILENCE.toMillis());
            assertThat(client.socket.getInputStream().readAllBytes()).isEqualTo(bytes);
            writer.join();
        }
    }

    @Test
    void aClientThatDoesNotReadIsNotReadFrom() throws Exception {
        int most = 64 << 20;
        try (SocketChannel client = SocketChannel.open()) {
            client.setOption(StandardSocketOptions.SO_RCVBUF, 16 * 1024);
            client.connect(server.address());
            client.configureBlocking(false);
            // A period that no buffer has, so that a byte lost or doubled shows.
            ByteBuffer output = ByteBuffer.allocateDirect(251 * 256);
            while (output.hasRemaining()) {
                output.put((byte) (output.position() % 251));
            }
            output.flip();
            long[] sent = {0};
            while (sent[0] < most && Patience.within(Patience.SILENCE, () -> write(client, output, sent))) {}
            assertThat(sent[0]).isLessThan(most);

            client.configureBlocking(true);
            client.shutdownOutput();
            ByteBuffer input = ByteBuffer.allocateDirect(1 << 20);
            long received = 0;
            while (client.read(input.clear()) >= 0) {
                input.flip();
                while (input.hasRemaining()) {
                    if (input.get() != (byte) (received++ % 251)) {
                        throw new AssertionError("the byte at " + (received - 1) + " is another one");
                    }
                }
            }
            assertThat(received).isEqualTo(sent[0]);
        }
    }

    private static boolean write(SocketChannel client, ByteBuffer output, long[] sent) {
        try {
            if (!output.hasRemaining()) {
                output.rewind();
            }
            int written = client.write(output);
            sent[0] += written;
            return written > 0;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aResetEndsTheConnectionAlone() throws IOException {
        try (TestClient other = server.connect()) {
            for (byte[] sent : new byte[][] {{}, {1}, new byte[100_000]}) {
                server.connect().send(sent).reset();
            }
            other.send("x").expect("x");
            assertThat(Patience.until(() -> server.connections() == 1)).isTrue();
        }
    }
}
