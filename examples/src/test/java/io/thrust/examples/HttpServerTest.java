package io.thrust.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.thrust.poll.PollerProvider;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The HTTP server over real sockets, on each backend. */
@Tag("backends")
@ParameterizedClass(name = "{0}")
@MethodSource("backends")
class HttpServerTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
    private static final String HELLO = AnswersTest.HELLO;

    @Parameter
    PollerProvider provider;

    RunningServer server;

    static Stream<Named<PollerProvider>> backends() {
        return Backends.tested();
    }

    @BeforeEach
    void start() throws IOException {
        server = RunningServer.http(provider);
    }

    @AfterEach
    void stop() throws Exception {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void theConnectionPersists() throws IOException {
        try (TestClient client = server.connect()) {
            for (int i = 0; i < 300; i++) {
                client.send(GET).expect(HELLO);
            }
        }
    }

    @Test
    void pipelinedRequestsAreAllAnswered() throws IOException {
        try (TestClient client = server.connect()) {
            client.send(GET.repeat(5000)).expect(HELLO.repeat(5000));
            client.send(GET).expect(HELLO);
        }
    }

    @Test
    void pipelinedRequestsAreAnsweredInTheirOrder() throws IOException {
        String missing = "GET /x HTTP/1.1\r\nHost: h\r\n\r\n";
        String notFound =
                "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 14\r\n\r\n404 Not Found\n";
        try (TestClient client = server.connect()) {
            client.send((GET + missing + missing).repeat(2000)).expect((HELLO + notFound + notFound).repeat(2000));
        }
    }

    @Test
    void aRequestMayComeByteByByte() throws IOException {
        try (TestClient client = server.connect()) {
            for (byte b : GET.getBytes(StandardCharsets.ISO_8859_1)) {
                client.send(new byte[] {b});
            }
            client.expect(HELLO);
        }
    }

    @Test
    void connectionsShareNothingButTheBuffers() throws IOException {
        try (TestClient one = server.connect();
                TestClient other = server.connect()) {
            one.send("GET / HTTP/1.1\r\nHo");
            other.send("GET /x HTTP/1.1\r\nHost: h\r\n");
            one.send("st: h\r\n\r\n").expect(HELLO);
            other.send("\r\n");
            assertThat(other.readLine()).isEqualTo("HTTP/1.1 404 Not Found\r\n");
        }
    }

    @Test
    void aCloseThatIsAskedForFollowsTheAnswer() throws IOException {
        String closing = HELLO.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
        for (String request :
                new String[] {"GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", "GET / HTTP/1.0\r\n\r\n"}) {
            try (TestClient client = server.connect()) {
                client.send(GET + request).expect(HELLO + closing).expectEnd();
            }
            try (TestClient client = server.connect()) {
                // What comes after it is not answered, and does not take the answer away.
                client.send(request + GET.repeat(10_000)).shutdownOutput();
                client.expect(closing).expectEnd();
            }
        }
    }

    @Test
    void http10KeepsAliveIfAsked() throws IOException {
        String request = "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n";
        try (TestClient client = server.connect()) {
            client.send(request).expect(HELLO).send(request).expect(HELLO);
        }
    }

    @Test
    void headHasNoBody() throws IOException {
        try (TestClient client = server.connect()) {
            client.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n" + GET)
                    .expect(HELLO.substring(0, HELLO.length() - "Hello, World!".length()) + HELLO);
        }
    }

    @Test
    void otherMethodsAreToldWhichAreAllowed() throws IOException {
        String notAllowed = "HTTP/1.1 405 Method Not Allowed\r\nContent-Type: text/plain\r\nContent-Length: 23\r\n"
                + "Allow: GET, HEAD\r\n\r\n405 Method Not Allowed\n";
        try (TestClient client = server.connect()) {
            client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nGET /" + GET)
                    .expect(notAllowed + HELLO);
            client.send("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n" + GET).expect(notAllowed + HELLO);
        }
    }

    @Test
    void bodiesArePassedOver() throws IOException {
        byte[] body = new byte[8 << 20];
        try (TestClient client = server.connect()) {
            client.send("GET / HTTP/1.1\r\nHost: h\r\nContent-Length: " + body.length + "\r\n\r\n")
                    .send(body)
                    .send(GET)
                    .expect(HELLO + HELLO);
            client.send("GET / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
            for (int i = 0; i < 8; i++) {
                client.send("100000\r\n").send(new byte[1 << 20]).send("\r\n");
            }
            client.send("0\r\nX: y\r\n\r\n" + GET).expect(HELLO + HELLO);
        }
    }

    @Test
    void aClientThatWaitsForContinueGetsIt() throws IOException {
        try (TestClient client = server.connect()) {
            client.send(GET + "GET / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
                    .expect(HELLO + "HTTP/1.1 100 Continue\r\n\r\n")
                    .send("abc")
                    .expect(HELLO);
        }
    }

    @Test
    void refusalsCanBeReadThoughTheClientGoesOnSending() throws IOException {
        String[][] refused = {
            {"nonsense\r\n", "400"},
            {"GET / HTTP/1.1\r\n\r\n", "400"},
            {"GET / HTTP/3.0\r\n\r\n", "505"},
            {"GET / HTTP/1.1\r\nX: " + "y".repeat(20_000), "431"},
            {"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\n\r\n", "501"},
            {"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "400"},
        };
        for (String[] each : refused) {
            try (TestClient client = server.connect()) {
                client.send(GET + each[0]).send(new byte[1 << 20]).shutdownOutput();
                client.expect(HELLO);
                assertThat(client.readToEnd())
                        .startsWith("HTTP/1.1 " + each[1] + " ")
                        .contains("\r\nConnection: close\r\n");
            }
        }
    }

    @Test
    void aRefusedClientThatStaysIsClosedInTheEnd() throws IOException {
        try (TestClient client = server.connect()) {
            client.send("nonsense\r\n");
            assertThat(client.readToEnd()).startsWith("HTTP/1.1 400 ");
            assertThat(Patience.until(() -> server.connections() == 0)).isTrue();
        }
    }

    @Test
    void aRequestThatIsAnsweredBeforeTheEndOfTheStreamIsAnswered() throws IOException {
        try (TestClient client = server.connect()) {
            client.send(GET + GET).shutdownOutput().expect(HELLO + HELLO).expectEnd();
        }
        try (TestClient client = server.connect()) {
            client.send(GET + "GET / HT").shutdownOutput().expect(HELLO).expectEnd();
        }
    }

    @Test
    void aResetEndsTheConnectionAlone() throws IOException {
        try (TestClient other = server.connect()) {
            for (String sent : new String[] {"", "GET / HT", GET, GET.repeat(10_000)}) {
                server.connect().send(sent).reset();
            }
            other.send(GET).expect(HELLO);
            assertThat(Patience.until(() -> server.connections() == 1)).isTrue();
        }
        assertThat(Patience.until(() -> server.connections() == 0)).isTrue();
    }

    @Test
    void aClientThatDoesNotReadIsNotReadFrom() throws Exception {
        int most = 64 << 20;
        try (SocketChannel client = SocketChannel.open()) {
            client.setOption(StandardSocketOptions.SO_RCVBUF, 16 * 1024);
            client.connect(server.address());
            client.configureBlocking(false);
            ByteBuffer requests = ByteBuffer.allocateDirect(GET.length() * 1000);
            requests.put(GET.repeat(1000).getBytes(StandardCharsets.ISO_8859_1)).flip();
            long[] sent = {0};
            // Until the server takes no more for a while.
            while (sent[0] < most && Patience.within(Patience.SILENCE, () -> write(client, requests, sent))) {}
            assertThat(sent[0]).isLessThan(most);

            client.configureBlocking(true);
            int begun = (int) (sent[0] % GET.length());
            expectHellos(client, sent[0] / GET.length());
            client.write(ByteBuffer.wrap(GET.substring(begun).getBytes(StandardCharsets.ISO_8859_1)));
            expectHellos(client, 1);
        }
    }

    private static void expectHellos(SocketChannel client, long count) throws IOException {
        byte[] expected = HELLO.getBytes(StandardCharsets.ISO_8859_1);
        ByteBuffer input = ByteBuffer.allocateDirect(1 << 20);
        long position = 0;
        long length = count * expected.length;
        while (position < length) {
            input.clear().limit((int) Math.min(input.capacity(), length - position));
            assertThat(client.read(input)).isPositive();
            input.flip();
            while (input.hasRemaining()) {
                if (input.get() != expected[(int) (position++ % expected.length)]) {
                    throw new AssertionError("the byte at " + (position - 1) + " of the answers is another one");
                }
            }
        }
    }

    private static boolean write(SocketChannel client, ByteBuffer requests, long[] sent) {
        try {
            if (!requests.hasRemaining()) {
                requests.rewind();
            }
            int written = client.write(requests);
            sent[0] += written;
            return written > 0;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void closingTheLoopEndsConnectionsInAnyState() throws Exception {
        try (TestClient idle = server.connect();
                TestClient partial = server.connect();
                TestClient refused = server.connect();
                TestClient deaf = server.connect()) {
            idle.send(GET).expect(HELLO);
            partial.send("GET / HT");
            refused.send("nonsense\r\n");
            deaf.send(GET.repeat(1000));
            assertThat(Patience.until(() -> server.connections() == 4)).isTrue();
            assertThat(refused.readToEnd()).startsWith("HTTP/1.1 400 ");
            server.close();
            idle.expectEnd();
            server = RunningServer.http(provider);
        }
    }
}
