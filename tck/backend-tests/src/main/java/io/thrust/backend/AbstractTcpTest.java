package io.thrust.backend;

import static io.thrust.backend.Net.PATIENCE;
import static io.thrust.backend.Net.SILENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thrust.poll.BrokenPipeException;
import io.thrust.poll.ConnectOptions;
import io.thrust.poll.ConnectionResetException;
import io.thrust.poll.InputSource;
import io.thrust.poll.Interest;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.Mode;
import io.thrust.poll.Poller;
import io.thrust.poll.SourceClosedException;
import io.thrust.poll.StreamSource;
import io.thrust.poll.spi.AddressText;
import io.thrust.poll.spi.StreamOptions;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
public abstract class AbstractTcpTest extends AbstractBackendTest {
    private static final byte[] IPV6_LOOPBACK = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

    /** What reading from a stream throws after its connect has failed. */
    protected Class<? extends Exception> readingAfterAFailedConnect() {
        return NotYetConnectedException.class;
    }

    /** The options of a stream, by those of a channel of the JDK's. */
    protected Set<SocketOption<?>> supportedOptions(SocketChannel channel) {
        return StreamOptions.TCP;
    }

    // ---- what an edge tells

    @Test
    void aShortReadDrainsATcpStreamAndTheNextByteIsANewEdge() throws IOException {
        try (Net.Pair pair = net().pair();
                Poller poller = provider().openPoller(1)) {
            assertThat(pair.server().isDrainedByShortRead()).isTrue();
            poller.register(pair.server(), 1, Interest.READ, Mode.EDGE);
            for (int round = 0; round < 1_000; round++) {
                Net.write(pair.client(), "x");
                assertThat(poller.poll(PATIENCE)).isEqualTo(1);
                assertThat(poller.events().isHangup(0)).isFalse();
                assertThat(pair.server().read(ByteBuffer.allocate(8))).isEqualTo(1);
                poller.rearm(pair.server(), Interest.READ);
            }
            assertThat(poller.poll(SILENCE)).isZero();
        }
    }

    // ---- resources

    @Test
    void descriptorsAreBackAfterTenThousandAcceptsAndCloses() throws IOException {
        try (ListenerSource listener = net().listen();
                Poller poller = provider().openPoller(8)) {
            poller.register(listener, 0, Interest.READ, Mode.EDGE);
            int before = Net.openDescriptors();
            // Reset on close: ten thousand ports in TIME_WAIT would be missed elsewhere.
            for (int round = 0; round < 10_000; round++) {
                StreamSource client = provider().connect(listener.localAddress(), ConnectOptions.DEFAULT);
                client.setOption(StandardSocketOptions.SO_LINGER, 0);
                poller.register(client, 1, Interest.READ_WRITE, Mode.EDGE);
                StreamSource server = listener.accept();
                while (server == null) {
                    assertThat(poller.poll(PATIENCE)).isPositive();
                    server = listener.accept();
                }
                poller.register(server, 2, Interest.READ, Mode.EDGE);
                poller.poll(0);
                server.close();
                client.close();
            }
            assertThat(Net.openDescriptors()).isEqualTo(before);
            assertThat(poller.poll(SILENCE)).isZero();
        }
    }

    @Test
    void failedOpensCloseTheirDescriptorAndSayWhatFailed() throws IOException {
        InetSocketAddress free;
        try (ListenerSource listener = net().listen()) {
            free = (InetSocketAddress) listener.localAddress();
            int before = Net.openDescriptors();
            for (int i = 0; i < 50; i++) {
                assertThatThrownBy(() -> provider().listen(free, ListenOptions.DEFAULT))
                        .isInstanceOf(BindException.class)
                        .hasMessage("listen on 127.0.0.1:" + free.getPort() + ": address already in use");
                assertThatThrownBy(() -> provider().connect(free, ConnectOptions.DEFAULT.withLocalAddress(free)))
                        .isInstanceOf(BindException.class)
                        .hasMessageContaining("bind to 127.0.0.1:" + free.getPort())
                        .hasMessageEndingWith("address already in use");
                assertThatThrownBy(
                                () -> provider().listen(new InetSocketAddress("192.0.2.1", 0), ListenOptions.DEFAULT))
                        .isInstanceOf(BindException.class)
                        .hasMessage("listen on 192.0.2.1:0: address not available on this machine");
                InetSocketAddress unresolved = InetSocketAddress.createUnresolved("nowhere.invalid", 1);
                assertThatThrownBy(() -> provider().connect(unresolved, ConnectOptions.DEFAULT))
                        .isInstanceOf(UnresolvedAddressException.class);
            }
            assertThat(Net.openDescriptors()).isEqualTo(before);
        }
        StreamSource refused = provider().connect(free, ConnectOptions.DEFAULT);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> net().finish(refused))
                    .isInstanceOf(ConnectException.class)
                    .hasMessage("connect to 127.0.0.1:" + free.getPort() + ": connection refused");
        }
        assertThatThrownBy(() -> refused.read(ByteBuffer.allocate(1))).isInstanceOf(readingAfterAFailedConnect());
        refused.close();
        assertThatThrownBy(refused::finishConnect).isInstanceOf(SourceClosedException.class);
        assertThat(refused.toString()).endsWith("->127.0.0.1:" + free.getPort());
    }

    // ---- transfers

    @Test
    void aGatheringWriteTakesAnyNumberOfBuffersOfBothKinds() throws IOException {
        ByteBuffer[] buffers = new ByteBuffer[5_002];
        StringBuilder expected = new StringBuilder();
        for (int i = 1; i <= 5_000; i++) {
            String text = i % 7 == 0 ? "" : i + (i % 100 == 0 ? "y".repeat(3_000) : ";");
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            ByteBuffer buffer =
                    i % 2 == 0 ? ByteBuffer.allocate(bytes.length + 3) : ByteBuffer.allocateDirect(bytes.length + 3);
            buffers[i] = buffer.position(3).put(3, bytes).slice().position(0);
            expected.append(text);
        }
        buffers[0] = ByteBuffer.wrap("not part of it".getBytes(StandardCharsets.UTF_8));
        buffers[5_001] = ByteBuffer.wrap("nor this".getBytes(StandardCharsets.UTF_8));
        try (Net.Pair pair = net().pair()) {
            assertThat(pair.client().write(buffers, 1, 5_000)).isEqualTo(expected.length());
            assertThat(pair.client().write(buffers, 1, 5_000)).isZero();
            assertThat(buffers[0].remaining()).isEqualTo(14);
            assertThatThrownBy(() -> pair.client().write(buffers, 5_000, 3))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            pair.client().shutdownOutput();
            assertThat(net().readFully(pair.server())).isEqualTo(expected.toString());
        }
    }

    @Test
    void aFullSendBufferIsToldByAShortWriteThenWouldBlockAndReportedWhenDrained() throws IOException {
        try (Net.Pair pair = net().pair();
                Poller poller = provider().openPoller(1)) {
            ByteBuffer chunk = ByteBuffer.allocateDirect(1 << 20);
            long sent = 0;
            while (true) {
                chunk.clear();
                int written = pair.client().write(chunk);
                if (written == InputSource.WOULD_BLOCK) {
                    break;
                }
                sent += written;
            }
            poller.register(pair.client(), 1, Interest.WRITE, Mode.EDGE);
            assertThat(poller.poll(SILENCE)).isZero();
            long received = 0;
            ByteBuffer sink = ByteBuffer.allocate(1 << 18);
            while (received < sent) {
                sink.clear();
                received += net().readSome(pair.server(), sink);
            }
            assertThat(poller.poll(PATIENCE)).isEqualTo(1);
            assertThat(poller.events().isWritable(0)).isTrue();
        }
    }

    @Test
    void aResetIsNeverTakenForTheEndOfTheStream() throws IOException {
        try (Net.Pair pair = net().pair()) {
            pair.client().setOption(StandardSocketOptions.SO_LINGER, 0);
            pair.client().close();
            // A write learns of the reset first, and the reads after it must say so all the same.
            net().await(pair.server());
            assertThatThrownBy(() -> pair.server().write(ByteBuffer.allocate(1)))
                    .isInstanceOf(ConnectionResetException.class)
                    .hasMessageStartingWith("write to tcp stream 127.0.0.1:");
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> pair.server().read(ByteBuffer.allocate(8)))
                        .isInstanceOf(ConnectionResetException.class)
                        .hasMessageStartingWith("read from tcp stream 127.0.0.1:")
                        .hasMessageEndingWith(": connection reset by peer");
            }
            assertThatThrownBy(() -> pair.server().write(ByteBuffer.allocate(1)))
                    .isInstanceOf(BrokenPipeException.class);
            pair.server().shutdownOutput();
        }
    }

    @Test
    void whileConnectingNothingIsTransferred() throws IOException {
        try (ListenerSource listener = net().listen();
                StreamSource client = provider().connect(listener.localAddress(), ConnectOptions.DEFAULT)) {
            assertThatThrownBy(() -> client.read(ByteBuffer.allocate(1))).isInstanceOf(NotYetConnectedException.class);
            assertThatThrownBy(() -> client.write(ByteBuffer.allocate(1))).isInstanceOf(NotYetConnectedException.class);
            assertThatThrownBy(client::shutdownOutput).isInstanceOf(NotYetConnectedException.class);
            net().finish(client);
            assertThat(client.read(ByteBuffer.allocate(1))).isEqualTo(InputSource.WOULD_BLOCK);
        }
    }

    @Test
    void aConnectThatNobodyAnswersYetIsNoConnection() throws IOException {
        // The queue takes two; the system answers no further client until one is accepted.
        Deque<StreamSource> clients = new ArrayDeque<>();
        try (ListenerSource listener = provider().listen(Net.loopback(), ListenOptions.DEFAULT.withBacklog(1));
                Poller poller = provider().openPoller(4)) {
            for (int i = 0; i < 4; i++) {
                clients.push(provider().connect(listener.localAddress(), ConnectOptions.DEFAULT));
            }
            StreamSource last = clients.element();
            poller.register(last, 1, Interest.READ_WRITE, Mode.EDGE);
            assertThat(poller.poll(SILENCE)).isZero();
            assertThat(last.finishConnect()).isFalse();
            assertThatThrownBy(() -> last.write(ByteBuffer.allocate(1))).isInstanceOf(NotYetConnectedException.class);
        } finally {
            for (StreamSource client : clients) {
                client.close();
            }
        }
    }

    // ---- options and addresses

    @Test
    void acceptedStreamsInheritNoDelayAndBufferSizeFromTheListener() throws IOException {
        for (boolean noDelay : new boolean[] {true, false}) {
            ListenOptions options = ListenOptions.DEFAULT.withNoDelay(noDelay).withReceiveBuffer(20_000);
            try (ListenerSource listener = provider().listen(Net.loopback(), options);
                    StreamSource client = net().connect(listener.localAddress());
                    StreamSource server = net().accept(listener)) {
                assertThat(server.getOption(StandardSocketOptions.TCP_NODELAY)).isEqualTo(noDelay);
                assertThat(server.getOption(StandardSocketOptions.SO_RCVBUF)).isEqualTo(20_000);
                assertThat(client.getOption(StandardSocketOptions.TCP_NODELAY)).isTrue();
            }
        }
    }

    @Test
    void optionsTakeAndTellTheValuesOfJavaNio() throws IOException {
        try (Net.Pair pair = net().pair();
                SocketChannel nio = SocketChannel.open()) {
            StreamSource stream = pair.client();
            for (boolean value : new boolean[] {true, false}) {
                stream.setOption(StandardSocketOptions.SO_KEEPALIVE, value);
                assertThat(stream.getOption(StandardSocketOptions.SO_KEEPALIVE)).isEqualTo(value);
                stream.setOption(StandardSocketOptions.SO_REUSEADDR, value);
                assertThat(stream.getOption(StandardSocketOptions.SO_REUSEADDR)).isEqualTo(value);
                stream.setOption(StandardSocketOptions.SO_REUSEPORT, value);
                assertThat(stream.getOption(StandardSocketOptions.SO_REUSEPORT)).isEqualTo(value);
                stream.setOption(StandardSocketOptions.TCP_NODELAY, value);
                assertThat(stream.getOption(StandardSocketOptions.TCP_NODELAY)).isEqualTo(value);
            }
            for (int value : new int[] {7, 0, -1, 100_000, -5}) {
                stream.setOption(StandardSocketOptions.SO_LINGER, value);
                nio.setOption(StandardSocketOptions.SO_LINGER, value);
                assertThat(stream.getOption(StandardSocketOptions.SO_LINGER))
                        .isEqualTo(nio.getOption(StandardSocketOptions.SO_LINGER));
            }
            for (int value : new int[] {40_000, 0, 1}) {
                stream.setOption(StandardSocketOptions.SO_SNDBUF, value);
                nio.setOption(StandardSocketOptions.SO_SNDBUF, value);
                assertThat(stream.getOption(StandardSocketOptions.SO_SNDBUF))
                        .isEqualTo(nio.getOption(StandardSocketOptions.SO_SNDBUF));
            }
            assertThatThrownBy(() -> stream.setOption(StandardSocketOptions.SO_SNDBUF, -1))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(stream.supportedOptions()).isEqualTo(supportedOptions(nio));
        }
    }

    @Test
    void addressesAreThoseOfJavaNio() throws IOException {
        boolean ipv6 = hasIpv6();
        InetAddress[] hosts = ipv6
                ? new InetAddress[] {
                    InetAddress.getByName("127.0.0.1"),
                    InetAddress.getByAddress(IPV6_LOOPBACK),
                    InetAddress.getByName("0.0.0.0"),
                    InetAddress.getByAddress(new byte[16])
                }
                : new InetAddress[] {InetAddress.getByName("127.0.0.1"), InetAddress.getByName("0.0.0.0")};
        for (InetAddress host : hosts) {
            InetSocketAddress local = new InetSocketAddress(host, 0);
            try (ListenerSource listener = provider().listen(local, ListenOptions.DEFAULT);
                    ServerSocketChannel nio = ServerSocketChannel.open().bind(local)) {
                InetSocketAddress bound = (InetSocketAddress) listener.localAddress();
                InetSocketAddress nioBound = (InetSocketAddress) nio.getLocalAddress();
                assertThat(bound.getAddress()).isEqualTo(nioBound.getAddress());
                assertThat(bound.getAddress()).hasToString(nioBound.getAddress().toString());
                if (host.isLoopbackAddress()) {
                    assertStreamsTellTheSame(listener, nio);
                }
            }
        }
    }

    private void assertStreamsTellTheSame(ListenerSource listener, ServerSocketChannel nio) throws IOException {
        try (SocketChannel nioClient = SocketChannel.open(listener.localAddress());
                StreamSource server = net().accept(listener);
                StreamSource client = net().connect(nio.getLocalAddress());
                SocketChannel nioServer = nio.accept()) {
            assertThat(server.remoteAddress()).isEqualTo(nioClient.getLocalAddress());
            assertThat(server.remoteAddress())
                    .hasToString(nioClient.getLocalAddress().toString());
            assertThat(server.localAddress())
                    .hasToString(nioClient.getRemoteAddress().toString());
            assertThat(client.localAddress())
                    .hasToString(nioServer.getRemoteAddress().toString());
            assertThat(client.remoteAddress())
                    .hasToString(nioServer.getLocalAddress().toString());
            assertThat(server)
                    .hasToString("tcp stream "
                            + AddressText.of((InetSocketAddress) nioClient.getRemoteAddress()) + "->"
                            + AddressText.of((InetSocketAddress) nioClient.getLocalAddress()));
        }
    }

    @Test
    void theAnyAddressTakesConnectionsOfBothFamilies() throws IOException {
        assumeTrue(hasIpv6(), "this machine has no IPv6");
        for (String any : new String[] {"0.0.0.0", "::"}) {
            try (ListenerSource listener =
                    provider().listen(new InetSocketAddress(InetAddress.getByName(any), 0), ListenOptions.DEFAULT)) {
                int port = ((InetSocketAddress) listener.localAddress()).getPort();
                for (InetAddress host :
                        new InetAddress[] {InetAddress.getByName("127.0.0.1"), InetAddress.getByAddress(IPV6_LOOPBACK)
                        }) {
                    try (StreamSource client = net().connect(new InetSocketAddress(host, port));
                            StreamSource server = net().accept(listener)) {
                        InetSocketAddress peer = (InetSocketAddress) server.remoteAddress();
                        assertThat(peer.getAddress()).isEqualTo(host);
                        assertThat(peer).isEqualTo(client.localAddress());
                        assertThat(server.localAddress()).isEqualTo(new InetSocketAddress(host, port));
                    }
                }
            }
        }
    }

    @Test
    void messagesWriteIpv6InBrackets() throws IOException {
        assumeTrue(hasIpv6(), "this machine has no IPv6");
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        InetSocketAddress address = new InetSocketAddress(InetAddress.getByAddress(IPV6_LOOPBACK), port);
        try (StreamSource refused = provider().connect(address, ConnectOptions.DEFAULT)) {
            assertThatThrownBy(() -> net().finish(refused))
                    .isInstanceOf(ConnectException.class)
                    .hasMessage("connect to [0:0:0:0:0:0:0:1]:" + port + ": connection refused");
        }
    }

    private static boolean hasIpv6() throws IOException {
        NetworkInterface loopback = NetworkInterface.getByName("lo");
        return loopback != null && loopback.inetAddresses().anyMatch(address -> address.getAddress().length == 16);
    }
}
