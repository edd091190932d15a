package io.thrust.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.thrust.EventLoop;
import io.thrust.Timers;
import io.thrust.task.Async;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EmbeddingExampleTest {
    private static final Logger TASKS = Logger.getLogger("io.thrust.task");

    @Test
    void theTextComesBack() throws Exception {
        String text = "Grüße ".repeat(10_000);
        assertThat(EmbeddingExample.echoOnce(text)).isEqualTo(text);
    }

    @Test
    void theServerKeepsNothingOfAConnectionThatThePeerReset() throws Exception {
        TASKS.setLevel(Level.OFF); // the reset is the connection's failure, which nobody asks for
        try (EventLoop loop = EventLoop.open()) {
            loop.blockOn(Async.lazy(() -> {
                InetSocketAddress server = EmbeddingExample.startEchoServer(loop);
                Socket client = connectTo(server);
                return Async.loop(() -> pause().map(none -> loop.reactor().registrationCount() < 2))
                        .then(accepted -> {
                            reset(client);
                            return Timers.timeout(
                                    Duration.ofSeconds(10),
                                    Async.loop(() ->
                                            pause().map(none -> loop.reactor().registrationCount() > 1)));
                        });
            }));
        } finally {
            TASKS.setLevel(null);
        }
    }

    private static Async<?> pause() {
        return Timers.sleep(Duration.ofMillis(1));
    }

    private static Socket connectTo(InetSocketAddress server) {
        try {
            return new Socket(server.getAddress(), server.getPort());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void reset(Socket client) {
        try {
            client.setSoLinger(true, 0);
            client.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
