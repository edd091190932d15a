package io.thrust.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thrust.poll.PollerProvider;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The examples as processes: how they start, fail and end. */
class ProcessTest {
    /** Of a process that ended by SIGTERM, as the JVM has it. */
    private static final int TERMINATED = 143;

    static Stream<Named<PollerProvider>> backends() {
        return Backends.tested();
    }

    @BeforeAll
    static void signalsArePosix() {
        assumeFalse(System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("windows"), "needs SIGTERM");
    }

    private static List<String> choosing(PollerProvider provider) {
        return List.of("-Dthrust.poller=" + provider.name());
    }

    @ParameterizedTest
    @MethodSource("backends")
    void httpServesUntilItIsTerminatedAndEndsQuietly(PollerProvider provider) throws Exception {
        try (ChildJvm child = ChildJvm.start(choosing(provider), Map.of(), "http", "--port", "0")) {
            try (TestClient client = new TestClient(child.listening("http", provider.name()));
                    TestClient idle = new TestClient((InetSocketAddress) client.socket.getRemoteSocketAddress())) {
                client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n").expect(AnswersTest.HELLO);
                idle.send("GET / HT");
                // It closes in time by itself, else it says so.
                assertThat(child.terminate().exitCode()).isEqualTo(TERMINATED);
                client.expectEnd();
            }
            assertThat(child.errors()).isEmpty();
            assertThat(child.output()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("backends")
    void benchServesWhatTheEnvironmentSays(PollerProvider provider) throws Exception {
        Map<String, String> environment = Map.of("PORT", "0", "MODE", "echo");
        try (ChildJvm child = ChildJvm.start(choosing(provider), environment, "bench")) {
            try (TestClient client = new TestClient(child.listening("echo-server", provider.name()))) {
                client.send("abc").expect("abc");
            }
            assertThat(child.terminate().exitCode()).isEqualTo(TERMINATED);
            assertThat(child.errors()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("backends")
    void aServerWithoutDescriptorsGoesOn(PollerProvider provider) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "needs bash");
        List<String> options = new ArrayList<>(choosing(provider));
        options.add("-XX:-MaxFDLimit");
        List<TestClient> clients = new ArrayList<>();
        try (ChildJvm child = ChildJvm.startWithDescriptors(80, options, "http", "--port", "0")) {
            InetSocketAddress address = child.listening("http", provider.name());
            try {
                for (int i = 0; i < 120; i++) {
                    clients.add(new TestClient(address));
                }
                assertThat(child.nextErrorLine()).startsWith("http: cannot accept a connection, going on: ");
                clients.get(0).send("GET / HTTP/1.1\r\nHost: h\r\n\r\n").expect(AnswersTest.HELLO);
            } finally {
                for (TestClient client : clients) {
                    client.close();
                }
            }
            try (TestClient client = new TestClient(address)) {
                client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n").expect(AnswersTest.HELLO);
            }
            assertThat(child.terminate().exitCode()).isEqualTo(TERMINATED);
            assertThat(child.errors()).allSatisfy(line -> assertThat(line).startsWith("http: cannot accept"));
        }
    }

    @ParameterizedTest
    @MethodSource("backends")
    void beyondTheLimitAClientWaitsUntilAnIdleOneIsClosed(PollerProvider provider) throws Exception {
        try (ChildJvm child = ChildJvm.start(
                choosing(provider), Map.of(), "http", "--port=0", "--idle-timeout=1", "--max-connections=2")) {
            InetSocketAddress address = child.listening("http", provider.name());
            try (TestClient first = new TestClient(address);
                    TestClient second = new TestClient(address);
                    TestClient third = new TestClient(address)) {
                first.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n").expect(AnswersTest.HELLO);
                third.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n").expect(AnswersTest.HELLO);
                // The third was served after one of the others was closed for being idle; both are in the end.
                assertThat(first.socket.getInputStream().read()).isEqualTo(-1);
                assertThat(second.socket.getInputStream().read()).isEqualTo(-1);
            }
            assertThat(child.terminate().exitCode()).isEqualTo(TERMINATED);
            assertThat(child.errors()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("backends")
    void severalLoopsShareThePortAndTheTable(PollerProvider provider) throws Exception {
        assumeTrue(System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("linux"), "needs Linux");
        List<TestClient> clients = new ArrayList<>();
        try (ChildJvm child = ChildJvm.start(
                choosing(provider), Map.of(), "routes", "--port=0", "--loops=3", "--updates=60000", "--routes=1")) {
            InetSocketAddress address = child.listening("routes", provider.name());
            try {
                // The system spreads them by their ports: that one of three loops gets none of 64 is out of the
                // question.
                for (int i = 0; i < 64; i++) {
                    clients.add(new TestClient(address));
                }
                for (TestClient client : clients) {
                    assertThat(Patience.until(() -> RoutesServerTest.version(client) > 0))
                            .isTrue();
                }
                assertThat(child.terminate().exitCode()).isEqualTo(TERMINATED);
                for (TestClient client : clients) {
                    client.expectEnd();
                }
            } finally {
                for (TestClient client : clients) {
                    client.close();
                }
            }
            assertThat(child.errors()).isEmpty();
            assertThat(child.output()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("backends")
    void fanoutAsksTheServersThatItStartsItself(PollerProvider provider) throws Exception {
        try (ChildJvm child = ChildJvm.start(
                choosing(provider),
                Map.of(),
                "fanout",
                "--port=0",
                "--demo=never,0",
                "--timeout=3000",
                "--total-timeout=3000")) {
            try (TestClient client = new TestClient(child.listening("fanout", provider.name()))) {
                client.send("GET /fanout/q HTTP/1.0\r\n\r\n");
                assertThat(client.readToEnd())
                        .contains("demo-0ms answered after ", ": what is known of q\n", "demo-never timed out")
                        .contains("\n1 of 2 answered");
            }
            assertThat(child.terminate().exitCode()).isEqualTo(TERMINATED);
            assertThat(child.errors()).isEmpty();
            assertThat(child.output()).isEmpty();
        }
    }

    @Test
    void aPortInUseIsToldOfWithSeveralLoopsToo() throws Exception {
        assumeTrue(System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("linux"), "needs Linux");
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ChildJvm child =
                        ChildJvm.start(List.of(), Map.of(), "routes", "--loops=2", "--port=" + taken.getLocalPort())) {
            assertThat(child.exitCode()).isEqualTo(1);
            assertThat(child.errors()).hasSize(1);
            assertThat(child.errors().get(0)).startsWith("routes: ").contains(":" + taken.getLocalPort(), "in use");
        }
    }

    @Test
    void anUnknownPollerIsToldOfWithoutAStackTrace() throws Exception {
        List<String> options = List.of("-Dthrust.poller=iouring");
        for (String command : new String[] {"http", "echo-server", "echo-client", "routes", "fanout", "pollers"}) {
            try (ChildJvm child = ChildJvm.start(options, Map.of("PORT", "0"), command)) {
                assertThat(child.exitCode()).isEqualTo(1);
                assertThat(child.errors().get(0)).startsWith(command + ": ").contains("\"iouring\"");
                assertNoStackTrace(child.errors());
            }
        }
    }

    @Test
    void aWrongEnvironmentIsAWrongUsage() throws Exception {
        try (ChildJvm port = ChildJvm.start(List.of(), Map.of("PORT", "http"), "http");
                ChildJvm mode = ChildJvm.start(List.of(), Map.of("PORT", "0", "MODE", "ftp"), "bench")) {
            assertThat(port.exitCode()).isEqualTo(2);
            assertThat(port.errors().get(0))
                    .isEqualTo("Invalid value of the environment variable PORT: \"http\" is no port;"
                            + " give a whole number from 0 to 65535");
            assertThat(mode.exitCode()).isEqualTo(2);
            assertThat(mode.errors().get(0)).contains("MODE").contains("\"ftp\"");
        }
    }

    private static void assertNoStackTrace(List<String> lines) {
        assertThat(lines).allSatisfy(line -> assertThat(line).doesNotContain("\tat ", "Exception"));
    }
}
