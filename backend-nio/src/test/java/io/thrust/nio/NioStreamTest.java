package io.thrust.nio;

import static io.thrust.backend.Net.PATIENCE;
import static io.thrust.backend.Net.SILENCE;
import static io.thrust.backend.Net.write;
import static io.thrust.nio.Fixtures.NET;
import static io.thrust.nio.Fixtures.NIO;
import static io.thrust.nio.Fixtures.closedPort;
import static io.thrust.nio.Fixtures.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thrust.backend.Net;
import io.thrust.backend.Net.Pair;
import io.thrust.poll.BrokenPipeException;
import io.thrust.poll.ConnectOptions;
import io.thrust.poll.ConnectionResetException;
import io.thrust.poll.Interest;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.Mode;
import io.thrust.poll.PipePair;
import io.thrust.poll.Poller;
import io.thrust.poll.SourceClosedException;
import io.thrust.poll.StreamSource;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class NioStreamTest {

    // ---- connecting

    @Test
    void finishConnectBeforeTheReportStopsWaitingForIt() throws Exception {
        FaultySelector selector = new FaultySelector();
        try (ListenerSource listener = NET.listen();
                Poller poller = new NioPoller(NIO, 8, () -> selector);
                StreamSource client = NIO.connect(listener.localAddress(), ConnectOptions.DEFAULT)) {
            poller.register(client, 1, Interest.READ_WRITE, Mode.EDGE);
            while (!client.finishConnect()) {
                Thread.onSpinWait();
            }
            assertThat(poller.poll(PATIENCE)).isEqualTo(1);
            assertThat(poller.events().isWritable(0)).isTrue();
            int before = selector.blockingSelects;
            assertThat(poller.poll(SILENCE)).isZero();
            assertThat(selector.blockingSelects - before).isLessThan(5);
        }
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aConnectingStreamThatNobodyFinishesDoesNotSpin(Mode mode) throws Exception {
        FaultySelector selector = new FaultySelector();
        try (ListenerSource listener = NET.listen();
                Poller poller = new NioPoller(NIO, 8, () -> selector);
                StreamSource client = NIO.connect(listener.localAddress(), ConnectOptions.DEFAULT)) {
            poller.register(client, 1, Interest.READ, mode);
            try (StreamSource server = NET.accept(listener)) {
                assertThat(poller.poll(SILENCE)).isZero();
                assertThat(selector.blockingSelects).isLessThan(6);
                write(server, "a");
                assertThat(poller.poll(PATIENCE)).isEqualTo(1);
                assertThat(poller.events().isReadable(0)).isTrue();
                assertThat(client.finishConnect()).isTrue();
                assertThat(read(client)).isEqualTo("a");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aRefusedConnectIsReportedAsTheModeSays(Mode mode) throws Exception {
        try (StreamSource client = NIO.connect(closedPort(), ConnectOptions.DEFAULT);
                Poller poller = NIO.openPoller(8)) {
            poller.register(client, 1, Interest.READ_WRITE, mode);
            assertThat(poller.poll(PATIENCE)).isEqualTo(1);
            assertThat(poller.events().isWritable(0)).isTrue();
            assertThat(poller.events().isReadable(0)).isTrue();
            assertThat(poller.events().isHangup(0)).isTrue();
            assertThat(poller.poll(SILENCE)).isEqualTo(mode == Mode.LEVEL ? 1 : 0);
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(client::finishConnect)
                        .isInstanceOf(ConnectException.class)
                        .hasMessageMatching("connect to 127\\.0\\.0\\.1:\\d+: connection refused");
            }
            assertThat(poller.poll(SILENCE)).isEqualTo(mode == Mode.LEVEL ? 1 : 0);
            poller.modify(client, 2, Interest.WRITE, mode);
            assertThat(poller.poll(PATIENCE)).isEqualTo(1);
            assertThat(poller.events().key(0)).isEqualTo(2);
            poller.deregister(client);
            poller.register(client, 3, Interest.READ, mode);
            assertThat(poller.poll(PATIENCE)).isEqualTo(1);
            assertThat(poller.events().key(0)).isEqualTo(3);
            assertThatThrownBy(() -> client.read(ByteBuffer.allocate(1))).isInstanceOf(ConnectException.class);
            assertThatThrownBy(() -> client.write(ByteBuffer.allocate(1))).isInstanceOf(ConnectException.class);
        }
    }

    @Test
    void connectedStreamsOnAlwaysReadyPollersDoNotStarveARefusedOne() throws Exception {
        try (Pair pair = NET.pair();
                StreamSource client = NIO.connect(closedPort(), ConnectOptions.DEFAULT);
                Poller poller = NIO.openPoller(1)) {
            poller.register(pair.client(), 1, Interest.WRITE, Mode.LEVEL);
            poller.register(client, 2, Interest.WRITE, Mode.LEVEL);
            int[] seen = new int[3];
            long start = System.nanoTime();
            while (seen[2] == 0 && System.nanoTime() - start < PATIENCE) {
                poller.poll(PATIENCE);
                seen[(int) poller.events().key(0)]++;
            }
            assertThat(seen[2]).isEqualTo(1);
            for (int i = 0; i < 10; i++) {
                poller.poll(PATIENCE);
                seen[(int) poller.events().key(0)]++;
            }
            assertThat(seen[2]).isBetween(5, 7);
        }
    }

    @Test
    void operationsOnAConnectingStreamAreRefused() throws Exception {
        // A listener whose backlog is full answers no further connect for the time being.
        List<StreamSource> fillers = new ArrayList<>();
        try (ListenerSource listener =
                NIO.listen(new InetSocketAddress("127.0.0.1", 0), ListenOptions.DEFAULT.withBacklog(1))) {
            StreamSource client = null;
            for (int i = 0; i < 64 && client == null; i++) {
                StreamSource next = NIO.connect(listener.localAddress(), ConnectOptions.DEFAULT);
                fillers.add(next);
                client = next.finishConnect() ? null : next;
            }
            Assumptions.assumeTrue(client != null, "this system accepts beyond the backlog");
            StreamSource connecting = client;
            assertThat(connecting.toString()).startsWith("tcp stream ->127.0.0.1:");
            assertThatThrownBy(() -> connecting.read(ByteBuffer.allocate(1)))
                    .isInstanceOf(NotYetConnectedException.class);
            assertThatThrownBy(() -> connecting.write(ByteBuffer.allocate(1)))
                    .isInstanceOf(NotYetConnectedException.class);
            assertThatThrownBy(connecting::shutdownOutput).isInstanceOf(NotYetConnectedException.class);
            assertThat(connecting.read(ByteBuffer.allocate(0))).isZero();
        } finally {
            for (StreamSource filler : fillers) {
                filler.close();
            }
        }
    }

    @Test
    void failedConnectsLeaveNoDescriptor() throws Exception {
        Assumptions.assumeTrue(Net.openDescriptors() >= 0);
        InetSocketAddress nobody = closedPort();
        try (Poller poller = NIO.openPoller(8)) {
            int before = 0;
            for (int i = -20; i < 300; i++) {
                if (i == 0) {
                    before = Net.openDescriptors();
                }
                StreamSource client = NIO.connect(nobody, ConnectOptions.DEFAULT);
                poller.register(client, 1, Interest.WRITE, Mode.EDGE);
                assertThat(poller.poll(PATIENCE)).isEqualTo(1);
                assertThatThrownBy(client::finishConnect).isInstanceOf(ConnectException.class);
                client.close();
            }
            assertThat(Net.openDescriptors()).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void addressesOfBothEndsAgree(String host) throws Exception {
        ListenerSource listener;
        try {
            listener = NIO.listen(new InetSocketAddress(host, 0), ListenOptions.DEFAULT);
        } catch (IOException e) {
            Assumptions.abort("no " + host + " here: " + e);
            return;
        }
        try (listener;
                Pair pair = NET.pair(listener)) {
            assertThat(pair.client().remoteAddress()).isEqualTo(listener.localAddress());
            assertThat(pair.server().remoteAddress()).isEqualTo(pair.client().localAddress());
            assertThat(pair.server().localAddress()).isEqualTo(listener.localAddress());
            String shown = host.equals("::1") ? "[0:0:0:0:0:0:0:1]" : host;
            int port = ((InetSocketAddress) listener.localAddress()).getPort();
            int own = ((InetSocketAddress) Fixtures.local(pair.client())).getPort();
            assertThat(listener).hasToString("tcp listener " + shown + ":" + port);
            assertThat(pair.client()).hasToString("tcp stream " + shown + ":" + own + "->" + shown + ":" + port);
            pair.client().close();
            listener.close();
            assertThat(listener).hasToString("tcp listener " + shown + ":" + port);
            assertThat(pair.client()).hasToString("tcp stream " + shown + ":" + own + "->" + shown + ":" + port);
            assertThat(((InetSocketAddress) pair.client().remoteAddress()).getPort())
                    .isEqualTo(port);
        }
    }

    @Test
    void badAddressesAreRefusedBeforeAnythingIsOpened() throws Exception {
        InetSocketAddress unresolved = InetSocketAddress.createUnresolved("host.invalid", 1);
        SocketAddress unknown = new SocketAddress() {};
        assertThatThrownBy(() -> NIO.connect(unresolved, ConnectOptions.DEFAULT))
                .isInstanceOf(UnresolvedAddressException.class);
        assertThatThrownBy(() -> NIO.listen(unresolved, ListenOptions.DEFAULT))
                .isInstanceOf(UnresolvedAddressException.class);
        assertThatThrownBy(() -> NIO.connect(unknown, ConnectOptions.DEFAULT))
                .isInstanceOf(UnsupportedAddressTypeException.class);
        assertThatThrownBy(() -> NIO.listen(unknown, ListenOptions.DEFAULT))
                .isInstanceOf(UnsupportedAddressTypeException.class);
        assertThatThrownBy(() -> NIO.connect(
                        Net.loopback(),
                        ConnectOptions.DEFAULT.withLocalAddress(java.net.UnixDomainSocketAddress.of("/x"))))
                .isInstanceOf(UnsupportedAddressTypeException.class);
    }

    @Test
    void connectOptionsAreApplied() throws Exception {
        InetSocketAddress from;
        try (ListenerSource probe = NET.listen()) {
            from = (InetSocketAddress) probe.localAddress();
        }
        try (ListenerSource listener = NET.listen();
                StreamSource client = NIO.connect(
                        listener.localAddress(),
                        ConnectOptions.DEFAULT
                                .withLocalAddress(from)
                                .withNoDelay(false)
                                .withSendBuffer(9000)
                                .withReceiveBuffer(9000));
                StreamSource server = NET.accept(listener)) {
            assertThat(server.remoteAddress()).isEqualTo(from);
            assertThat(client.getOption(StandardSocketOptions.TCP_NODELAY)).isFalse();
            assertThat(server.getOption(StandardSocketOptions.TCP_NODELAY)).isTrue();
            assertThat(client.getOption(StandardSocketOptions.SO_SNDBUF)).isBetween(9000, 20_000);
            assertThatThrownBy(() -> NIO.connect(
                            listener.localAddress(), ConnectOptions.DEFAULT.withLocalAddress(listener.localAddress())))
                    .isInstanceOf(BindException.class)
                    .hasMessageStartingWith("bind to 127.0.0.1:");
        }
    }

    // ---- bytes

    @Test
    void gatheringWritesOfAnyShapeArriveInOrder() throws Exception {
        try (Pair pair = NET.pair()) {
            int count = 5000;
            ByteBuffer[] buffers = new ByteBuffer[count + 2];
            int total = 0;
            for (int i = 0; i < count; i++) {
                int size = i % 7;
                buffers[i + 1] = i % 2 == 0 ? ByteBuffer.allocate(size) : ByteBuffer.allocateDirect(size);
                for (int j = 0; j < size; j++) {
                    buffers[i + 1].put(j, (byte) (total + j));
                }
                total += size;
            }
            buffers[0] = ByteBuffer.allocate(0);
            buffers[count + 1] = ByteBuffer.allocate(300_000);
            for (int j = 0; j < 300_000; j++) {
                buffers[count + 1].put(j, (byte) (total + j));
            }
            total += 300_000;
            ByteBuffer received = ByteBuffer.allocate(total);
            int sent = 0;
            long start = System.nanoTime();
            while (received.hasRemaining() && System.nanoTime() - start < PATIENCE) {
                long n = pair.client().write(buffers, 0, buffers.length);
                sent += (int) Math.max(n, 0);
                pair.server().read(received);
            }
            assertThat(sent).isEqualTo(total);
            assertThat(received.hasRemaining()).isFalse();
            for (int i = 0; i < total; i++) {
                assertThat(received.get(i)).isEqualTo((byte) i);
            }
            assertThat(pair.client().write(buffers, 0, buffers.length)).isZero();
            assertThatThrownBy(() -> pair.client().write(buffers, 1, buffers.length))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void aLargeHeapReadTakesAllThatIsThereAndKeepsTheLimit() throws Exception {
        try (Pair pair = NET.pair()) {
            int size = 200_000;
            ByteBuffer out = ByteBuffer.allocate(size);
            out.put(size - 1, (byte) 7);
            long start = System.nanoTime();
            ByteBuffer in = ByteBuffer.allocate(size + 1000);
            in.limit(size + 500);
            while (in.position() < size && System.nanoTime() - start < PATIENCE) {
                pair.client().write(out);
                int n = pair.server().read(in);
                assertThat(n).isNotZero().isNotEqualTo(-1);
                assertThat(in.limit()).isEqualTo(size + 500);
            }
            assertThat(in.position()).isEqualTo(size);
            assertThat(in.get(size - 1)).isEqualTo((byte) 7);
            // Bytes and then the end in one read: the bytes first.
            out.clear().limit(100_000);
            pair.client().write(out);
            pair.client().shutdownOutput();
            in.clear();
            NET.await(pair.server());
            int total = 0;
            int n;
            while ((n = pair.server().read(in)) != -1 && System.nanoTime() - start < PATIENCE) {
                total += Math.max(n, 0);
            }
            assertThat(total).isEqualTo(100_000);
        }
    }

    @Test
    void aHeapWriteLargerThanTheDirectMemorySucceeds() throws Exception {
        String output = Fixtures.childJvm(LargeHeapWrite.class)
                .withOptions(List.of("-Xmx256m", "-XX:MaxDirectMemorySize=16m"))
                .run(LargeHeapWrite.class);
        assertThat(output).contains("received " + LargeHeapWrite.SIZE);
    }

    /** Runs in a Java of its own with little direct memory. */
    static final class LargeHeapWrite {
        static final int SIZE = 64 * 1024 * 1024;

        public static void main(String[] args) throws Exception {
            NioProvider nio = new NioProvider();
            try (ListenerSource listener = nio.listen(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), ListenOptions.DEFAULT);
                    StreamSource client = nio.connect(listener.localAddress(), ConnectOptions.DEFAULT)) {
                StreamSource server = null;
                while (server == null) {
                    server = listener.accept();
                }
                while (!client.finishConnect()) {
                    Thread.onSpinWait();
                }
                ByteBuffer out = ByteBuffer.allocate(SIZE);
                ByteBuffer in = ByteBuffer.allocate(SIZE);
                while (in.hasRemaining()) {
                    if (out.position() < SIZE / 2) {
                        client.write(out);
                    } else {
                        client.write(new ByteBuffer[] {out}, 0, 1);
                    }
                    server.read(in);
                }
                System.out.println("received " + in.position());
                server.close();
            }
        }
    }

    @Test
    void zeroLengthOperationsReturnZero() throws Exception {
        try (Pair pair = NET.pair()) {
            assertThat(pair.client().read(ByteBuffer.allocate(0))).isZero();
            assertThat(pair.client().write(ByteBuffer.allocateDirect(0))).isZero();
            assertThat(pair.client().write(new ByteBuffer[0], 0, 0)).isZero();
            assertThat(pair.client().read(ByteBuffer.allocate(1))).isEqualTo(-2);
            pair.client().close();
            assertThatThrownBy(() -> pair.client().read(ByteBuffer.allocate(0)))
                    .isInstanceOf(SourceClosedException.class)
                    .hasMessageEndingWith("is closed");
        }
    }

    @Test
    void writesAfterOwnShutdownAreABrokenPipe() throws Exception {
        try (Pair pair = NET.pair()) {
            pair.client().shutdownOutput();
            pair.client().shutdownOutput();
            assertThatThrownBy(() -> pair.client().write(ByteBuffer.allocate(1)))
                    .isInstanceOf(BrokenPipeException.class)
                    .hasMessage("write to " + pair.client() + ": broken pipe");
            assertThatThrownBy(() -> pair.client().write(new ByteBuffer[] {ByteBuffer.allocate(1)}, 0, 1))
                    .isInstanceOf(BrokenPipeException.class);
            assertThat(pair.client().write(ByteBuffer.allocate(0))).isZero();
            NET.await(pair.server());
            assertThat(pair.server().read(ByteBuffer.allocate(1))).isEqualTo(-1);
            write(pair.server(), "back");
            NET.await(pair.client());
            assertThat(read(pair.client())).isEqualTo("back");
        }
    }

    @Test
    void aResetIsAConnectionResetAndShutdownAfterItDoesNothing() throws Exception {
        try (Pair pair = NET.pair()) {
            pair.server().setOption(StandardSocketOptions.SO_LINGER, 0);
            pair.server().close();
            NET.await(pair.client());
            assertThatThrownBy(() -> pair.client().read(ByteBuffer.allocate(1)))
                    .isInstanceOf(ConnectionResetException.class)
                    .hasMessage("read from " + pair.client() + ": connection reset by peer");
            pair.client().shutdownOutput();
            pair.client().shutdownOutput();
        }
    }

    @Test
    void aPipeWithoutReaderIsBroken() throws Exception {
        PipePair pipe = NIO.pipe();
        assertThat(pipe.reader()).hasToString("pipe reader");
        assertThat(pipe.writer()).hasToString("pipe writer");
        try (Poller poller = NIO.openPoller(1)) {
            pipe.reader().close();
            poller.register(pipe.writer(), 1, Interest.WRITE, Mode.EDGE);
            assertThat(poller.poll(PATIENCE)).isEqualTo(1);
            assertThatThrownBy(() -> pipe.writer().write(ByteBuffer.allocate(1)))
                    .isInstanceOf(BrokenPipeException.class)
                    .hasMessage("write to pipe writer: broken pipe");
            pipe.writer().close();
        }
    }

    @Test
    void optionsAreSetAndUnknownOnesRefusedWithAList() throws Exception {
        try (Pair pair = NET.pair()) {
            StreamSource stream = pair.client();
            assertThat(stream.getOption(StandardSocketOptions.TCP_NODELAY)).isTrue();
            assertThat(stream.getOption(StandardSocketOptions.SO_LINGER)).isEqualTo(-1);
            stream.setOption(StandardSocketOptions.SO_LINGER, 3);
            assertThat(stream.getOption(StandardSocketOptions.SO_LINGER)).isEqualTo(3);
            stream.setOption(StandardSocketOptions.SO_LINGER, -1);
            stream.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            assertThat(stream.getOption(StandardSocketOptions.SO_KEEPALIVE)).isTrue();
            assertThat(stream.supportedOptions())
                    .contains(
                            StandardSocketOptions.TCP_NODELAY,
                            StandardSocketOptions.SO_KEEPALIVE,
                            StandardSocketOptions.SO_LINGER,
                            StandardSocketOptions.SO_SNDBUF,
                            StandardSocketOptions.SO_RCVBUF,
                            StandardSocketOptions.SO_REUSEADDR);
            assertThatThrownBy(() -> stream.setOption(StandardSocketOptions.IP_MULTICAST_TTL, 1))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("IP_MULTICAST_TTL")
                    .hasMessageContaining("SO_KEEPALIVE, ");
            assertThatThrownBy(() -> stream.setOption(StandardSocketOptions.SO_SNDBUF, -1))
                    .isInstanceOf(IllegalArgumentException.class);
            stream.close();
            assertThatThrownBy(() -> stream.getOption(StandardSocketOptions.SO_LINGER))
                    .isInstanceOf(SourceClosedException.class);
        }
    }
}
