package io.thrust.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thrust.EventLoop;
import io.thrust.net.TcpListener;
import io.thrust.net.TcpStream;
import io.thrust.task.Async;
import io.thrust.task.Task;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TimersExampleTest {
    private EventLoop loop;
    private TcpStream client;
    private TcpStream server;

    @BeforeEach
    void open() throws IOException {
        loop = EventLoop.open();
        try (TcpListener listener = loop.blockOn(Async.lazy(() -> Async.ready(listen())))) {
            loop.blockOn(Async.lazy(() -> {
                Task<TcpStream> accepted = loop.spawn(listener.accept());
                return TcpStream.connect(listener.localAddress())
                        .then(stream -> accepted.join().map(other -> {
                            client = stream;
                            server = other;
                            return stream;
                        }));
            }));
        }
    }

    static TcpListener listen() {
        try {
            return TcpListener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void close() {
        loop.close();
    }

    @Test
    void whatFailsIsTriedAgainButNotForEver() throws IOException {
        int[] attempts = {0};
        String result = loop.blockOn(TimersExample.retry(
                5,
                Duration.ofMillis(1),
                () -> ++attempts[0] < 3 ? Async.failed(new IOException("not yet")) : Async.ready("done")));
        assertThat(result).isEqualTo("done");
        assertThat(attempts[0]).isEqualTo(3);

        assertThatThrownBy(() -> loop.blockOn(TimersExample.retry(4, Duration.ofMillis(1), () -> {
                    attempts[0]++;
                    return Async.failed(new IOException("never"));
                })))
                .hasMessage("never");
        assertThat(attempts[0]).isEqualTo(7);
    }

    @Test
    void everyBeatIsReportedAndNoneIsEarly() throws IOException {
        List<Long> lateness = new ArrayList<>();
        loop.blockOn(TimersExample.heartbeat(loop, Duration.ofMillis(2), 5, lateness::add));
        assertThat(lateness).hasSize(5).allMatch(nanos -> nanos >= 0);
    }

    @Test
    void aReadThatIsGivenUpLosesNothing() throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(8);
        assertThat(loop.<Integer>blockOn(TimersExample.readOrElse(server, buffer, Duration.ofMillis(5), -7)))
                .isEqualTo(-7);
        loop.blockOn(client.writeAll(ByteBuffer.wrap("late".getBytes(StandardCharsets.US_ASCII))));
        assertThat(loop.<Integer>blockOn(TimersExample.readOrElse(server, buffer, Patience.PATIENCE, -7)))
                .isEqualTo(4);
    }

    @Test
    void aConnectionEndsWhenItsPeerEndsOrIsSilent() throws IOException {
        assertThat(loop.<Boolean>blockOn(TimersExample.drainWhileActive(server, Duration.ofMillis(20))))
                .isTrue();
        assertThat(server.isOpen()).isFalse();
        // The other end reads the end of the stream now.
        assertThat(loop.<Boolean>blockOn(TimersExample.drainWhileActive(client, Patience.PATIENCE)))
                .isFalse();
    }
}
