package io.thrust.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.thrust.poll.PollerProvider;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The fan-out service over real sockets, on each backend. */
@Tag("backends")
@ParameterizedClass(name = "{0}")
@MethodSource("backends")
class FanoutServerTest {
    private static final Duration LONG = Patience.PATIENCE.multipliedBy(2);
    private static final Duration SHORT = Patience.SILENCE;
    private static final String HEAD =
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final String NOT_FOUND =
            "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 14\r\n\r\n404 Not Found\n";

    @Parameter
    PollerProvider provider;

    private final ExecutorService resolver = Executors.newSingleThreadExecutor();
    private final List<AutoCloseable> resources = new ArrayList<>();

    static Stream<Named<PollerProvider>> backends() {
        return Backends.tested();
    }

    @AfterEach
    void stop() throws Exception {
        for (int i = resources.size() - 1; i >= 0; i--) {
            resources.get(i).close();
        }
        resolver.shutdownNow();
    }

    private RunningServer start(Duration timeout, Duration totalTimeout, Executor executor, Downstream... downstreams)
            throws IOException {
        Fanout fanout = new Fanout(List.of(downstreams), timeout, totalTimeout, executor);
        RunningServer server = RunningServer.of(provider, new FanoutServer(fanout, Duration.ofMinutes(1)));
        resources.add(server);
        return server;
    }

    private RunningServer start(Downstream... downstreams) throws IOException {
        return start(LONG, LONG, resolver, downstreams);
    }

    private ScriptedDownstream scripted(String name) throws IOException {
        ScriptedDownstream server = new ScriptedDownstream(name);
        resources.add(server);
        return server;
    }

    /** The echo server is one: it answers a line with that line. */
    private Downstream echo(String name) throws IOException {
        RunningServer server = RunningServer.echo(provider);
        resources.add(server);
        return new Downstream(name, "127.0.0.1", server.address().getPort());
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: h\r\n\r\n";
    }

    /** Reads a chunk; its text, which is empty at the end. */
    private static String chunk(TestClient client) throws IOException {
        int length = Integer.parseInt(client.readLine().strip(), 16);
        String text = new String(client.socket.getInputStream().readNBytes(length), StandardCharsets.UTF_8);
        client.expect("\r\n");
        return text;
    }

    private static void expectEcho(TestClient client, String query) throws IOException {
        client.expect(HEAD);
        assertThat(chunk(client)).matches("echo answered after \\d+ ms: " + query + "\n");
        assertThat(chunk(client)).matches("1 of 1 answered within \\d+ ms\n");
        assertThat(chunk(client)).isEmpty();
    }

    @Test
    void eachPartIsSentAsItArrives() throws Exception {
        ScriptedDownstream a = scripted("a");
        ScriptedDownstream b = scripted("b");
        try (TestClient client = start(a.downstream, b.downstream).connect()) {
            client.send(get("/fanout/q?x"));
            try (Socket first = a.accept("q");
                    Socket second = b.accept("q")) {
                client.expect(HEAD);
                ScriptedDownstream.answer(second, "from b\nand more");
                assertThat(chunk(client)).matches("b answered after \\d+ ms: from b\n");
                ScriptedDownstream.expectEnd(second);
                ScriptedDownstream.answer(first, "from");
                ScriptedDownstream.answer(first, " a\n");
                assertThat(chunk(client)).matches("a answered after \\d+ ms: from a\n");
                assertThat(chunk(client)).matches("2 of 2 answered within \\d+ ms\n");
                assertThat(chunk(client)).isEmpty();
                client.send(get("/")).expect(NOT_FOUND);
            }
        }
    }

    @Test
    void aLateCallIsCancelledAndReported() throws Exception {
        RunningServer server = start(SHORT, LONG, resolver, scripted("a").downstream, scripted("b").downstream);
        try (TestClient client = server.connect()) {
            client.send(get("/fanout/q")).expect(HEAD);
            assertThat(List.of(chunk(client), chunk(client)))
                    .containsExactlyInAnyOrder("a timed out after 100 ms\n", "b timed out after 100 ms\n");
            assertThat(chunk(client)).startsWith("0 of 2 ");
            assertThat(chunk(client)).isEmpty();
            // The calls have ended: the connection is the only task.
            assertThat(server.connections()).isOne();
        }
    }

    @Test
    void whatIsNotThereInTimeForAllIsCancelledAndReported() throws Exception {
        RunningServer server = start(LONG, SHORT, resolver, scripted("a").downstream, scripted("b").downstream);
        try (TestClient client = server.connect()) {
            client.send(get("/fanout/q")).expect(HEAD);
            assertThat(chunk(client)).isEqualTo("a timed out with all others after 100 ms\n");
            assertThat(chunk(client)).isEqualTo("b timed out with all others after 100 ms\n");
            assertThat(chunk(client)).startsWith("0 of 2 ");
            assertThat(chunk(client)).isEmpty();
            assertThat(server.connections()).isOne();
        }
    }

    @Test
    void aCallThatFailsCostsItsOwnPart() throws Exception {
        ScriptedDownstream gone = new ScriptedDownstream("gone");
        gone.close();
        ScriptedDownstream silent = scripted("silent");
        ScriptedDownstream endless = scripted("endless");
        try (TestClient client =
                start(gone.downstream, silent.downstream, endless.downstream).connect()) {
            client.send(get("/fanout/q"));
            client.expect(HEAD);
            assertThat(chunk(client))
                    .startsWith("gone failed: ")
                    .contains("refused")
                    .hasLineCount(1);
            try (Socket call = silent.accept("q")) {
                call.shutdownOutput();
                assertThat(chunk(client))
                        .isEqualTo("silent failed: it closed the connection before the end of a line\n");
            }
            try (Socket call = endless.accept("q")) {
                ScriptedDownstream.answer(call, "x".repeat(Downstream.MOST_BYTES));
                assertThat(chunk(client)).isEqualTo("endless failed: its line is longer than 4096 bytes\n");
            }
            assertThat(chunk(client)).startsWith("0 of 3 ");
            assertThat(chunk(client)).isEmpty();
        }
    }

    @Test
    void aClientThatGoesAwayCancelsTheCalls() throws Exception {
        ScriptedDownstream a = scripted("a");
        ScriptedDownstream b = scripted("b");
        RunningServer server = start(a.downstream, b.downstream);
        for (int way = 0; way < 4; way++) {
            try (TestClient client = server.connect()) {
                client.send(get("/fanout/q"));
                try (Socket first = a.accept("q");
                        Socket second = b.accept("q")) {
                    if (way == 3) {
                        ScriptedDownstream.answer(second, "from b\n");
                        client.expect(HEAD);
                        assertThat(chunk(client)).startsWith("b answered");
                    }
                    switch (way) {
                        case 0 -> client.close();
                        case 1 -> client.reset();
                        default -> client.shutdownOutput();
                    }
                    ScriptedDownstream.expectEnd(first);
                    ScriptedDownstream.expectEnd(second);
                    assertThat(Patience.until(() -> server.connections() == 0))
                            .as("no task is left")
                            .isTrue();
                }
            }
        }
    }

    @Test
    void closingTheLoopCancelsTheCalls() throws Exception {
        ScriptedDownstream a = scripted("a");
        RunningServer server = start(a.downstream);
        try (TestClient client = server.connect()) {
            client.send(get("/fanout/q"));
            try (Socket call = a.accept("q")) {
                server.close();
                ScriptedDownstream.expectEnd(call);
                client.expect(HEAD).expectEnd();
            }
        } finally {
            resources.remove(server);
        }
    }

    @Test
    void resolvingANameHoldsUpNobodyElseAndIsCancelledToo() throws Exception {
        List<Runnable> held = new CopyOnWriteArrayList<>();
        RunningServer server = start(LONG, LONG, held::add, new Downstream("a", "localhost", 1));
        try (TestClient client = server.connect();
                TestClient other = server.connect()) {
            client.send(get("/fanout/q")).expect(HEAD);
            assertThat(Patience.until(() -> held.size() == 1)).isTrue();
            other.send(get("/")).expect(NOT_FOUND);
            client.close();
            assertThat(Patience.until(() -> server.connections() == 1)).isTrue();
            assertThat(held.get(0))
                    .isInstanceOfSatisfying(
                            Future.class, work -> assertThat(work.isCancelled()).isTrue());
        }
    }

    @Test
    void theConnectionPersistsAndPipelinedRequestsAreAnsweredInTheirOrder() throws Exception {
        try (TestClient client = start(echo("echo")).connect()) {
            for (int i = 0; i < 100; i++) {
                client.send(get("/fanout/q" + i));
                expectEcho(client, "q" + i);
            }
            // More than there is room for.
            StringBuilder requests = new StringBuilder();
            for (int i = 0; i < 500; i++) {
                requests.append(get("/fanout/p" + i)).append(get("/x"));
            }
            client.send(requests.toString());
            for (int i = 0; i < 500; i++) {
                expectEcho(client, "p" + i);
                client.expect(NOT_FOUND);
            }
        }
    }

    @Test
    void aRequestMayComeByteByByteAndWithABody() throws Exception {
        String request = "GET /fanout/q HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n";
        try (TestClient client = start(echo("echo")).connect()) {
            for (byte b : request.getBytes(StandardCharsets.US_ASCII)) {
                client.send(new byte[] {b});
            }
            client.expect("HTTP/1.1 100 Continue\r\n\r\n").send("abc");
            expectEcho(client, "q");
        }
    }

    @Test
    void theAnswerToHttp10HasNoChunksAndEndsWithTheConnection() throws Exception {
        try (TestClient client = start(echo("echo")).connect()) {
            client.send("GET /fanout/q HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
            client.expect("HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n");
            assertThat(client.readToEnd()).matches("echo answered after \\d+ ms: q\n1 of 1 answered within \\d+ ms\n");
        }
    }

    @Test
    void aCloseThatIsAskedForFollowsTheAnswer() throws Exception {
        RunningServer server = start(echo("echo"));
        try (TestClient client = server.connect()) {
            client.send("GET /fanout/q HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
            assertThat(client.readToEnd())
                    .startsWith(HEAD.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"))
                    .endsWith(" ms\n\r\n0\r\n\r\n");
        }
        assertThat(Patience.until(() -> server.connections() == 0)).isTrue();
    }

    @Test
    void whatIsNoQuestionAsksNobody() throws Exception {
        // Asking would fail: nobody is there.
        try (TestClient client = start(new Downstream("a", "127.0.0.1", 1)).connect()) {
            client.send("HEAD /fanout/q HTTP/1.1\r\nHost: h\r\n\r\n").expect(HEAD);
            client.send(get("/fanout/") + get("/fanout") + get("/")).expect(NOT_FOUND.repeat(3));
            client.send("PUT /fanout/q HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nGET /");
            assertThat(client.readLine()).startsWith("HTTP/1.1 405 ");
        }
        try (TestClient client = start(new Downstream("a", "127.0.0.1", 1)).connect()) {
            client.send("nonsense\r\n").send(new byte[100_000]).shutdownOutput();
            assertThat(client.readToEnd()).startsWith("HTTP/1.1 400 ").contains("Connection: close");
        }
    }
}
