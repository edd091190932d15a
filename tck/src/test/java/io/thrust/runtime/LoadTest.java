package io.thrust.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.thrust.Timers;
import io.thrust.net.TcpListener;
import io.thrust.net.TcpStream;
import io.thrust.poll.PollerProvider;
import io.thrust.task.Async;
import io.thrust.task.Task;
import io.thrust.task.YieldOnce;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Many connections, and neighbours that never rest. */
@OnEveryBackend
class LoadTest extends LoopTest {
    LoadTest(PollerProvider provider) {
        super(provider);
    }

    @Test
    void aThousandEchoesAtOnceComeBackWhole() throws Exception {
        int connections = 1000;
        int length = 16 * 1024;
        try (TcpListener listener = listen()) {
            int before = descriptors();
            Task<?> server = loop.spawnBackground(echoServer(listener));
            int[] right = {0};
            for (int i = 0; i < connections; i++) {
                byte[] sent = pattern(length, i);
                loop.spawn(TcpStream.connect(listener.localAddress()).then(stream -> {
                    loop.spawn(stream.writeAll(ByteBuffer.wrap(sent)));
                    return fill(stream, length).map(received -> {
                        if (checksum(received.array()) == checksum(sent)) {
                            right[0]++;
                        }
                        close(stream);
                        return null;
                    });
                }));
            }

            loop.run();

            assertThat(right[0]).isEqualTo(connections);
            assertThat(server.isCancelled()).isTrue();
            assertDescriptors(before);
        }
    }

    @Test
    void tenThousandConnectionsLeaveNoDescriptorAndNoRegistration() throws Exception {
        try (TcpListener listener = listen()) {
            pair(listener).close();
            int before = descriptors();
            int[] served = {0};
            Async<Boolean>[] steps = clients(listener, served);
            loop.spawnBackground(Async.loop(() -> listener.accept().map(stream -> {
                loop.spawn(echo(stream));
                return true;
            })));

            loop.blockOn(Async.lazy(() -> {
                for (Async<Boolean> step : steps) {
                    loop.spawn(step);
                }
                return Async.ready(null);
            }));

            assertThat(served[0]).isEqualTo(10_000);
            assertThat(loop.reactor().registrationCount()).isEqualTo(1);
            assertThat(loop.reactor().timers().size()).isZero();
            assertThat(loop.executor().taskCount()).isZero();
            assertDescriptors(before);
        }
    }

    /** Twenty clients that connect five hundred times each. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    private Async<Boolean>[] clients(TcpListener listener, int[] served) {
        Async<Boolean>[] clients = new Async[20];
        for (int i = 0; i < clients.length; i++) {
            int[] left = {500};
            clients[i] = Async.loop(() -> TcpStream.connect(listener.localAddress())
                            .then(stream -> stream.writeAll(bytes("ping"))
                                    .then(none -> Timers.timeout(Duration.ofSeconds(20), fill(stream, 4)))
                                    .map(answer -> {
                                        assertThat(text(answer)).isEqualTo("ping");
                                        reset(stream);
                                        served[0]++;
                                        return --left[0] > 0;
                                    })))
                    .map(none -> true);
        }
        return clients;
    }

    /** Leaves no connection behind that lingers in the system, of which there would be many. */
    private static void reset(TcpStream stream) {
        try {
            stream.setOption(StandardSocketOptions.SO_LINGER, 0);
            stream.close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void tasksThatWakeThemselvesForEverStarveNeitherSocketsNorTimers() throws Exception {
        for (int i = 0; i < 10; i++) {
            loop.spawnBackground(Async.loop(() -> new YieldOnce().map(none -> true)));
        }
        try (TcpListener listener = listen()) {
            loop.spawnBackground(echoServer(listener));
            Task<?> timer = loop.spawn(Timers.sleep(Duration.ofMillis(1)));

            loop.blockOn(TcpStream.connect(listener.localAddress()).then(stream -> pingPong(stream, 200)));

            assertThat(timer.isDone()).isTrue();
        }
    }

    @Test
    void aPeerThatNeverStopsSendingStarvesNobody() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        try (TcpListener listener = listen();
                TcpListener flooded = listen()) {
            start("flood", () -> {
                try (Socket peer = new Socket()) {
                    peer.connect(flooded.localAddress());
                    OutputStream out = peer.getOutputStream();
                    byte[] bytes = new byte[64 * 1024];
                    while (!stop.get()) {
                        out.write(bytes);
                    }
                } catch (IOException e) {
                    // The loop has closed its end.
                    assertThat(stop.get()).isTrue();
                }
            });
            TcpStream sink = loop.blockOn(flooded.accept());
            long[] swallowed = {0};
            ByteBuffer dst = ByteBuffer.allocateDirect(1024);
            loop.blockOn(Async.lazy(() -> {
                loop.spawnBackground(Async.loop(() -> sink.read(dst.clear()).map(n -> {
                    swallowed[0] += n;
                    return n > 0;
                })));
                loop.spawnBackground(echoServer(listener));
                Async<Void> flood = Async.loop(() -> new YieldOnce().map(none -> swallowed[0] < 1 << 20));
                return flood.then(none -> {
                    loop.spawn(Timers.sleep(Duration.ofMillis(1)));
                    return TcpStream.connect(listener.localAddress()).then(stream -> pingPong(stream, 200));
                });
            }));

            // It went on meanwhile, and all of the others came to their end.
            assertThat(swallowed[0]).isGreaterThan(1 << 20);
        } finally {
            stop.set(true);
            loop.close();
        }
    }

    private static Async<Void> pingPong(TcpStream stream, int rounds) {
        int[] left = {rounds};
        return Async.loop(() -> stream.writeAll(bytes("ping"))
                .then(none -> fill(stream, 4))
                .map(answer -> {
                    assertThat(text(answer)).isEqualTo("ping");
                    return --left[0] > 0;
                }));
    }
}
