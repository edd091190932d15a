package io.thrust.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.thrust.poll.PollerProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The routing-table service over real sockets, on each backend. */
@Tag("backends")
@ParameterizedClass(name = "{0}")
@MethodSource("backends")
class RoutesServerTest {
    private static final List<Prefix> PREFIXES = DemoRoutes.prefixes(1000);
    private static final String NOT_FOUND = text(Answers.kind(404, false, false));

    @Parameter
    PollerProvider provider;

    private final RoutingTable table = TableKind.SNAPSHOT.create(DemoRoutes.map(PREFIXES));
    private final RouteUpdates updates = new RouteUpdates(table, PREFIXES);
    RunningServer server;

    static Stream<Named<PollerProvider>> backends() {
        return Backends.tested();
    }

    @BeforeEach
    void start() throws IOException {
        server = RunningServer.of(provider, new RoutesServer(table, updates, Duration.ofMinutes(1)));
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    private static String text(byte kind) {
        ByteBuffer bytes = ByteBuffer.allocate(1024);
        Answers.put(kind, bytes);
        return StandardCharsets.US_ASCII.decode(bytes.flip()).toString();
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: h\r\n\r\n";
    }

    private static String ok(String body) {
        return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    /** The version of the route to 10.0.0.1. */
    static long version(TestClient client) {
        try {
            client.send(get("/route/10.0.0.1"));
            int length = 0;
            for (String line = client.readLine(); !line.equals("\r\n"); line = client.readLine()) {
                if (line.startsWith("Content-Length: ")) {
                    length = Integer.parseInt(
                            line.substring("Content-Length: ".length()).strip());
                }
            }
            String body = client.readLine();
            assertThat(body).hasSize(length).contains(" version ");
            return Long.parseLong(body.substring(body.lastIndexOf(' ') + 1).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void theRouteIsThatOfTheLongestPrefix() throws IOException {
        try (TestClient client = server.connect()) {
            client.send(get("/route/10.2.230.4")).expect(ok("10.2.230.0/24 via 192.0.2.1 version 0\n"));
            client.send(get("/route/10.200.3.4")).expect(ok("10.200.0.0/16 via 192.0.2.1 version 0\n"));
            client.send(get("/route/10.200.3.4?x")).expect(ok("10.200.0.0/16 via 192.0.2.1 version 0\n"));
            client.send(get("http://h/route/10.0.3.4")).expect(ok("10.0.3.0/24 via 192.0.2.1 version 0\n"));
        }
    }

    @Test
    void anUpdateIsSeenByTheNextRequestOfAnyConnection() throws IOException {
        try (TestClient one = server.connect();
                TestClient other = server.connect()) {
            for (int version = 1; version <= 100; version++) {
                table.put(new Route(new Prefix(10 << 24, 24), version, version));
                assertThat(version(one)).isEqualTo(version);
                assertThat(version(other)).isEqualTo(version);
            }
        }
    }

    @Test
    void theTableIsDescribed() throws IOException {
        updates.update();
        try (TestClient client = server.connect()) {
            client.send(get("/table")).expect(ok("1000 routes, 1 updates\n"));
            client.send(get("/tables") + get("/table/")).expect(NOT_FOUND + NOT_FOUND);
        }
    }

    @Test
    void pipelinedRequestsAreAnsweredInTheirOrder() throws IOException {
        String requests = get("/route/10.0.1.1") + get("/x") + get("/route/10.0.2.1") + get("/route/10");
        String answers = ok("10.0.1.0/24 via 192.0.2.1 version 0\n")
                + NOT_FOUND
                + ok("10.0.2.0/24 via 192.0.2.1 version 0\n")
                + text(Answers.kind(400, false, false));
        try (TestClient client = server.connect()) {
            client.send(requests.repeat(1000)).expect(answers.repeat(1000));
        }
    }

    @Test
    void theShortestRequestsHaveRoomForTheirAnswers() throws IOException {
        // Nothing shorter is a request, and no answer to a short one is longer.
        String request = "G /table HTTP/1.1\r\nHost:\r\n\r\n";
        String shortest = "G / HTTP/1.1\r\nHost:\r\n\r\n";
        try (TestClient client = server.connect()) {
            client.send(request.repeat(2000) + shortest.repeat(5000))
                    .expect(text(Answers.kind(405, false, false)).repeat(2000) + NOT_FOUND.repeat(5000));
        }
    }

    @Test
    void aRequestMayComeByteByByte() throws IOException {
        try (TestClient client = server.connect();
                TestClient other = server.connect()) {
            for (byte b : get("/route/10.0.7.1").getBytes(StandardCharsets.ISO_8859_1)) {
                client.send(new byte[] {b});
                other.send(get("/x")).expect(NOT_FOUND);
            }
            client.expect(ok("10.0.7.0/24 via 192.0.2.1 version 0\n"));
        }
    }

    @Test
    void aHeadHasNoBodyAndOtherMethodsAreRefused() throws IOException {
        String body = "10.0.1.0/24 via 192.0.2.1 version 0\n";
        try (TestClient client = server.connect()) {
            client.send("HEAD /route/10.0.1.1 HTTP/1.1\r\nHost: h\r\n\r\n" + get("/route/10.0.1.1"))
                    .expect(ok(body).substring(0, ok(body).length() - body.length()) + ok(body));
            client.send("PUT /route/10.0.1.1 HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nGET /")
                    .expect(text(Answers.kind(405, false, false)));
            client.send("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n").expect(text(Answers.kind(405, false, false)));
        }
    }

    @Test
    void aCloseThatIsAskedForFollowsTheAnswer() throws IOException {
        String close = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 36\r\nConnection: close\r\n\r\n"
                + "10.0.1.0/24 via 192.0.2.1 version 0\n";
        for (String request : new String[] {
            "GET /route/10.0.1.1 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
            "GET /route/10.0.1.1 HTTP/1.0\r\n\r\n"
        }) {
            try (TestClient client = server.connect()) {
                client.send(request + get("/x").repeat(10_000)).shutdownOutput();
                client.expect(close).expectEnd();
            }
        }
    }

    @Test
    void aRefusalCanBeReadThoughTheClientGoesOnSending() throws IOException {
        try (TestClient client = server.connect()) {
            client.send(get("/x") + "nonsense\r\n").send(new byte[1 << 20]).shutdownOutput();
            client.expect(NOT_FOUND);
            assertThat(client.readToEnd()).startsWith("HTTP/1.1 400 ").contains("\r\nConnection: close\r\n");
        }
        assertThat(Patience.until(() -> server.connections() == 0)).isTrue();
    }

    @Test
    void aClientThatReadsLateGetsAllAnswers() throws Exception {
        int count = 100_000;
        byte[] requests = get("/route/10.0.1.1").repeat(count).getBytes(StandardCharsets.ISO_8859_1);
        byte[] answer = ok("10.0.1.0/24 via 192.0.2.1 version 0\n").getBytes(StandardCharsets.ISO_8859_1);
        try (TestClient client = server.connect()) {
            Thread writer = new Thread(() -> {
                try {
                    client.send(requests).shutdownOutput();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            writer.start();
            writer.join(Patience.SILENCE.toMillis());
            byte[] answers = client.socket.getInputStream().readNBytes(count * answer.length);
            assertThat(answers).hasSize(count * answer.length);
            for (int i = 0; i < answers.length; i++) {
                if (answers[i] != answer[i % answer.length]) {
                    throw new AssertionError("the byte at " + i + " is another one");
                }
            }
            client.expectEnd();
            writer.join();
        }
    }

    @Test
    void aResetEndsTheConnectionAlone() throws IOException {
        try (TestClient other = server.connect()) {
            for (String sent : new String[] {"", "GET /ro", get("/x"), get("/x").repeat(10_000)}) {
                server.connect().send(sent).reset();
            }
            other.send(get("/x")).expect(NOT_FOUND);
            assertThat(Patience.until(() -> server.connections() == 1)).isTrue();
        }
    }
}
