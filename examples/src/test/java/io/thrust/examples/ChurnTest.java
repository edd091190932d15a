package io.thrust.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thrust.poll.PollerProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many short connections leave nothing behind. */
@Tag("backends")
class ChurnTest {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final int CONNECTIONS = 10_000;

    static Stream<Named<PollerProvider>> backends() {
        return Backends.tested();
    }

    @ParameterizedTest
    @MethodSource("backends")
    void tenThousandConnectionsLeaveNoSocketBehind(PollerProvider provider) throws Exception {
        assumeTrue(Files.isDirectory(DESCRIPTORS), "no list of descriptors here");
        try (RunningServer server = RunningServer.http(provider)) {
            connect(server, 10);
            assertThat(Patience.until(() -> server.connections() == 0)).isTrue();
            long before = sockets();

            connect(server, CONNECTIONS);

            assertThat(Patience.until(() -> server.connections() == 0)).isTrue();
            assertThat(sockets()).isEqualTo(before);
        }
    }

    /** Ended by the client after an answer, by the server, by a reset, and before anything was sent, in turn. */
    private static void connect(RunningServer server, int connections) throws IOException {
        for (int i = 0; i < connections; i++) {
            try (TestClient client = server.connect()) {
                switch (i % 4) {
                    case 0 -> client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n").expect(AnswersTest.HELLO);
                    case 1 ->
                        assertThat(client.send("GET / HTTP/1.0\r\n\r\n").readToEnd())
                                .endsWith("Hello, World!");
                    case 2 -> client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n").reset();
                    default -> {}
                }
            }
        }
    }

    private static long sockets() {
        try (Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
            return descriptors.filter(ChurnTest::isSocket).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isSocket(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
        } catch (IOException e) {
            // That of the list itself.
            return false;
        }
    }
}
