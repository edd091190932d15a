package io.thrust.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thrust.EventLoop;
import io.thrust.net.TcpListener;
import io.thrust.net.TcpStream;
import io.thrust.poll.InputSource;
import io.thrust.poll.Interest;
import io.thrust.poll.PipePair;
import io.thrust.poll.PollerProvider;
import io.thrust.reactor.Reactor;
import io.thrust.reactor.Registration;
import io.thrust.task.Async;
import io.thrust.task.Countdown;
import io.thrust.task.Task;
import io.thrust.task.YieldOnce;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a runtime of this kind is tested for first: tasks, registrations, connects, an echo, and a little stress. */
@OnEveryBackend
class ModelTest extends LoopTest {
    ModelTest(PollerProvider provider) {
        super(provider);
    }

    @Test
    void tasksThatWakeThemselvesEnd() {
        List<Task<?>> tasks = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            tasks.add(loop.spawn(i % 2 == 0 ? new YieldOnce() : new Countdown(i)));
        }

        loop.run();

        assertThat(tasks).allMatch(Task::isDone);
    }

    @Test
    void blockOnDrainsWhatItsTasksSpawnBeforeItReturns() throws IOException {
        List<String> order = new ArrayList<>();

        String value = loop.blockOn(Async.lazy(() -> {
            loop.spawn(new Countdown(10).map(none -> {
                EventLoop.current().spawn(new Countdown(10).map(alsoNone -> order.add("inner")));
                return order.add("outer");
            }));
            return Async.ready("main");
        }));

        assertThat(value).isEqualTo("main");
        assertThat(order).containsExactly("outer", "inner");
    }

    // ---- registrations, over a pipe

    @Test
    void aPipeIsReportedReadableOnceItHasBytes() throws IOException {
        PipePair pipe = provider.pipe();
        Reactor reactor = loop.reactor();
        Registration reader = reactor.register(pipe.reader(), Interest.READ);
        int[] woken = {0};
        assertThat(reader.pollReadable(this, () -> woken[0]++)).isFalse();
        reactor.turn(0);
        assertThat(woken[0]).isZero();

        pipe.writer().write(bytes("x"));
        turnUntil(reactor, () -> woken[0] == 1);

        assertThat(reader.pollReadable(this, () -> {})).isTrue();
        assertThat(pipe.reader().read(ByteBuffer.allocate(8))).isEqualTo(1);
        reader.close();
        pipe.writer().close();
    }

    @Test
    void aWaitIsWokenOnceAndTheNextWaitAgain() throws IOException {
        PipePair pipe = provider.pipe();
        Reactor reactor = loop.reactor();
        Registration reader = reactor.register(pipe.reader(), Interest.READ);
        for (int round = 1; round <= 100; round++) {
            int[] woken = {0};
            assertThat(reader.pollReadable(this, () -> woken[0]++)).isFalse();
            pipe.writer().write(bytes("abc"));
            turnUntil(reactor, () -> woken[0] == 1);
            pipe.writer().write(bytes("def"));
            reactor.turn(0);
            reactor.turn(0);
            assertThat(woken[0]).isEqualTo(1);

            assertThat(reader.pollReadable(this, () -> {})).isTrue();
            ByteBuffer dst = ByteBuffer.allocate(8);
            while (pipe.reader().read(dst) != InputSource.WOULD_BLOCK) {
                assertThat(dst.position()).isLessThanOrEqualTo(6);
            }
            assertThat(text(dst)).isEqualTo("abcdef");
            reader.clearReadable();
        }
        reader.close();
        pipe.writer().close();
    }

    @Test
    void aSecondWaitInOneDirectionIsRefusedAndGivingTheFirstUpMakesRoom() throws IOException {
        PipePair pipe = provider.pipe();
        Reactor reactor = loop.reactor();
        Registration reader = reactor.register(pipe.reader(), Interest.READ);
        Object first = new Object();
        Object second = new Object();
        int[] woken = {0};
        assertThat(reader.pollReadable(first, () -> woken[0] += 100)).isFalse();
        assertThatThrownBy(() -> reader.pollReadable(second, () -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("another read is under way");

        reader.releaseRead(first);
        assertThat(reader.pollReadable(second, () -> woken[0]++)).isFalse();
        pipe.writer().write(bytes("x"));
        turnUntil(reactor, () -> woken[0] > 0);

        assertThat(woken[0]).isEqualTo(1);
        reader.close();
        pipe.writer().close();
    }

    private static void turnUntil(Reactor reactor, java.util.function.BooleanSupplier condition) throws IOException {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - start).isLessThan(PATIENCE);
            reactor.turn(PATIENCE);
        }
    }

    // ---- connects

    @Test
    void aConnectSucceedsAndBothEndsAgreeOnTheAddresses() throws IOException {
        try (TcpListener listener = listen()) {
            Pair pair = pair(listener);

            assertThat(pair.client().remoteAddress()).isEqualTo(listener.localAddress());
            assertThat(pair.server().remoteAddress()).isEqualTo(pair.client().localAddress());
            assertThat(pair.server().localAddress()).isEqualTo(listener.localAddress());
            pair.close();
        }
    }

    @Test
    void aConnectThatIsRefusedNamesTheAddressAndLeavesNoDescriptor() throws IOException {
        // It is bound and does not listen: no other process can.
        try (Socket bound = new Socket()) {
            bound.bind(loopback(0));
            InetSocketAddress nobody = (InetSocketAddress) bound.getLocalSocketAddress();
            loop.blockOn(new YieldOnce());
            int before = descriptors();
            for (int i = 0; i < 100; i++) {
                assertThatThrownBy(() -> loop.blockOn(TcpStream.connect(nobody)))
                        .isInstanceOf(ConnectException.class)
                        .hasMessageContaining(nobody.getAddress().getHostAddress() + ":" + nobody.getPort())
                        .hasMessageContaining("refused");
            }
            assertThat(loop.reactor().registrationCount()).isZero();
            assertDescriptors(before);
        }
    }

    @Test
    void aThousandConnectsThatAreCancelledLeaveNoDescriptor() throws IOException {
        try (TcpListener listener = listen()) {
            pair(listener).close();
            int before = descriptors();
            for (int i = 0; i < 1000; i++) {
                Task<TcpStream> connect = loop.spawn(TcpStream.connect(listener.localAddress()));
                if (i % 2 == 0) {
                    loop.turn(0);
                }
                connect.cancel();
                if (connect.isCancelled()) {
                    assertThat(loop.reactor().registrationCount()).isEqualTo(1);
                } else {
                    connect.detach();
                }
            }
            assertDescriptors(before);
        }
    }

    // ---- echo

    @Test
    void anEchoComesBackByteForByte() throws IOException {
        byte[] sent = pattern(1 << 20, 7);
        try (TcpListener listener = listen()) {
            loop.spawnBackground(echoServer(listener));

            byte[] received =
                    loop.blockOn(TcpStream.connect(listener.localAddress()).then(stream -> {
                        loop.spawn(stream.writeAll(ByteBuffer.wrap(sent)).map(none -> {
                            try {
                                stream.shutdownOutput();
                            } catch (IOException e) {
                                throw new AssertionError(e);
                            }
                            return none;
                        }));
                        return readAll(stream);
                    }));

            assertThat(checksum(received)).isEqualTo(checksum(sent));
        }
    }

    @Test
    void manyTasksOverFewConnectionsAllEnd() throws IOException {
        try (TcpListener listener = listen()) {
            loop.spawnBackground(echoServer(listener));
            int[] ended = {0};
            for (int i = 0; i < 50; i++) {
                int number = i;
                loop.spawn(TcpStream.connect(listener.localAddress())
                        .then(stream -> Async.loop(new java.util.function.Supplier<Async<Boolean>>() {
                                    private int rounds;

                                    @Override
                                    public Async<Boolean> get() {
                                        String message = "message " + number + "/" + rounds;
                                        return stream.writeAll(bytes(message))
                                                .then(none -> fill(stream, message.length()))
                                                .map(answer -> {
                                                    assertThat(text(answer)).isEqualTo(message);
                                                    return ++rounds < 100;
                                                });
                                    }
                                })
                                .map(none -> {
                                    close(stream);
                                    return ended[0]++;
                                })));
            }

            loop.run();

            assertThat(ended[0]).isEqualTo(50);
        }
    }
}
