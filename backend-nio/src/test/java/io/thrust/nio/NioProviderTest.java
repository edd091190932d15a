package io.thrust.nio;

import static io.thrust.backend.Net.PATIENCE;
import static io.thrust.backend.Net.SILENCE;
import static io.thrust.nio.Fixtures.NET;
import static io.thrust.nio.Fixtures.NIO;
import static io.thrust.nio.Fixtures.location;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thrust.backend.Net;
import io.thrust.poll.AlreadyRegisteredException;
import io.thrust.poll.InputSource;
import io.thrust.poll.Interest;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.Mode;
import io.thrust.poll.OutputSource;
import io.thrust.poll.Poller;
import io.thrust.poll.PollerProvider;
import io.thrust.poll.Source;
import io.thrust.poll.SourceClosedException;
import io.thrust.poll.StreamSource;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NioProviderTest {

    @Test
    void isFoundAsAServiceOnTheClassPath() {
        assertThat(ServiceLoader.load(PollerProvider.class))
                .anySatisfy(provider -> assertThat(provider).isInstanceOf(NioProvider.class));
    }

    @Test
    void isFoundAsAServiceOnTheModulePath() throws Exception {
        ModuleFinder finder = ModuleFinder.of(location(PollerProvider.class), location(NioProvider.class));
        Configuration configuration = ModuleLayer.boot()
                .configuration()
                .resolveAndBind(finder, ModuleFinder.of(), Set.of("io.thrust.backend.nio"));
        ModuleLayer layer =
                ModuleLayer.boot().defineModulesWithOneLoader(configuration, ClassLoader.getPlatformClassLoader());
        Class<?> service = layer.findLoader("io.thrust.api").loadClass(PollerProvider.class.getName());
        List<String> found = ServiceLoader.load(layer, service).stream()
                .map(provider -> provider.type().getName())
                .toList();
        assertThat(found).containsExactly(NioProvider.class.getName());
    }

    @Test
    void describesItself() {
        assertThat(NIO.name()).isEqualTo("nio");
        assertThat(NIO.priority()).isZero();
        assertThat(NIO.availability().isAvailable()).isTrue();
        assertThat(NIO.modes()).containsExactlyInAnyOrder(Mode.values());
        assertThatThrownBy(() -> NIO.openPoller(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anAdoptedDatagramChannelIsWatchedAndStaysOpen() throws Exception {
        try (DatagramChannel receiver = DatagramChannel.open();
                DatagramChannel sender = DatagramChannel.open();
                Poller poller = NIO.openPoller(4)) {
            receiver.bind(Net.loopback()).configureBlocking(false);
            SocketAddress address = receiver.getLocalAddress();
            Source source = NIO.adopt(receiver);
            assertThat(source.directions()).isEqualTo(Interest.READ_WRITE);
            poller.register(source, 1, Interest.READ, Mode.EDGE);
            assertThat(poller.poll(SILENCE)).isZero();
            sender.send(ByteBuffer.wrap(new byte[] {1}), address);
            assertThat(poller.poll(PATIENCE)).isEqualTo(1);
            source.close();
            assertThat(source.toString()).startsWith("adopted channel DatagramChannelImpl");
            assertThat(receiver.isOpen()).isTrue();
            assertThat(receiver.receive(ByteBuffer.allocate(8))).isNotNull();
            receiver.configureBlocking(true);
        }
    }

    @Test
    void adoptedSocketsHaveTheirOperationsAndStayOpen() throws Exception {
        try (ServerSocketChannel server = ServerSocketChannel.open();
                SocketChannel client = SocketChannel.open()) {
            server.bind(Net.loopback()).configureBlocking(false);
            client.configureBlocking(false);
            client.connect(server.getLocalAddress());
            try (ListenerSource listener = (ListenerSource) NIO.adopt(server);
                    StreamSource stream = (StreamSource) NIO.adopt(client)) {
                NET.finish(stream);
                try (StreamSource accepted = NET.accept(listener)) {
                    assertThat(accepted.isDrainedByShortRead()).isTrue();
                    assertThat(stream.isDrainedByShortRead()).isFalse();
                    Net.write(stream, "x");
                    NET.await(accepted);
                    assertThat(Fixtures.read(accepted)).isEqualTo("x");
                    assertThat(stream.toString()).startsWith("adopted tcp stream 127.0.0.1:");
                }
            }
            assertThat(server.isOpen()).isTrue();
            assertThat(client.isOpen()).isTrue();
            assertThat(client.isRegistered()).isFalse();
        }
    }

    @Test
    void adoptedPipeEndsHaveTheirOperations() throws Exception {
        Pipe pipe = Pipe.open();
        pipe.source().configureBlocking(false);
        pipe.sink().configureBlocking(false);
        Net.write((OutputSource) NIO.adopt(pipe.sink()), "x");
        InputSource reader = (InputSource) NIO.adopt(pipe.source());
        NET.await(reader);
        assertThat(Fixtures.read(reader)).isEqualTo("x");
        pipe.source().close();
        assertThatThrownBy(() -> reader.read(ByteBuffer.allocate(1)))
                .isInstanceOf(SourceClosedException.class)
                .hasMessageContaining("closed elsewhere");
        pipe.sink().close();
    }

    @Test
    void twoSourcesOverOneChannelCannotBothBeRegistered() throws Exception {
        Pipe pipe = Pipe.open();
        pipe.source().configureBlocking(false);
        try (Poller poller = NIO.openPoller(4);
                Source first = NIO.adopt(pipe.source());
                Source second = NIO.adopt(pipe.source())) {
            poller.register(first, 1, Interest.READ, Mode.EDGE);
            assertThatThrownBy(() -> poller.register(second, 2, Interest.READ, Mode.EDGE))
                    .isInstanceOf(AlreadyRegisteredException.class);
        }
        pipe.source().close();
        pipe.sink().close();
    }

    @Test
    void channelsThatCannotBeWatchedAreRefusedUnchanged() throws Exception {
        try (SocketChannel channel = SocketChannel.open()) {
            assertThatThrownBy(() -> NIO.adopt(channel))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("configureBlocking(false)");
            assertThat(channel.isBlocking()).isTrue();
            channel.configureBlocking(false);
            assertThatThrownBy(() -> NIO.adopt(channel))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("not connected");
            channel.close();
            assertThatThrownBy(() -> NIO.adopt(channel)).isInstanceOf(SourceClosedException.class);
        }
        try (ServerSocketChannel channel = ServerSocketChannel.open()) {
            channel.configureBlocking(false);
            assertThatThrownBy(() -> NIO.adopt(channel)).isInstanceOf(IllegalArgumentException.class);
        }
        try (ForeignChannel foreign = new ForeignChannel()) {
            assertThatThrownBy(() -> NIO.adopt(foreign))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("selector provider");
        }
    }

    @Test
    void aChannelMadeBlockingAfterAdoptionIsRefusedByRegister() throws Exception {
        try (DatagramChannel channel = DatagramChannel.open();
                Poller poller = NIO.openPoller(4)) {
            channel.configureBlocking(false);
            Source source = NIO.adopt(channel);
            channel.configureBlocking(true);
            assertThatThrownBy(() -> poller.register(source, 1, Interest.READ, Mode.EDGE))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("blocking mode");
            channel.configureBlocking(false);
            poller.register(source, 1, Interest.WRITE, Mode.EDGE);
            assertThat(poller.poll(PATIENCE)).isEqualTo(1);
        }
    }

    @Test
    void addressesAreShownWithoutNames() {
        assertThat(Addresses.text(InetSocketAddress.createUnresolved("a.invalid", 5)))
                .isEqualTo("a.invalid:5");
        assertThat(Addresses.text(new InetSocketAddress("localhost", 5))).doesNotContain("localhost");
        assertThat(Addresses.text(null)).isEmpty();
    }

    /** Of a provider that is not the JDK's. */
    private static final class ForeignChannel extends AbstractSelectableChannel {
        ForeignChannel() throws java.io.IOException {
            super(new ForeignProvider());
            configureBlocking(false);
        }

        @Override
        public int validOps() {
            return SelectionKey.OP_READ;
        }

        @Override
        protected void implCloseSelectableChannel() {}

        @Override
        protected void implConfigureBlocking(boolean block) {}
    }

    private static final class ForeignProvider extends SelectorProvider {
        @Override
        public DatagramChannel openDatagramChannel() {
            throw new UnsupportedOperationException();
        }

        @Override
        public DatagramChannel openDatagramChannel(java.net.ProtocolFamily family) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Pipe openPipe() {
            throw new UnsupportedOperationException();
        }

        @Override
        public AbstractSelector openSelector() {
            throw new UnsupportedOperationException();
        }

        @Override
        public ServerSocketChannel openServerSocketChannel() {
            throw new UnsupportedOperationException();
        }

        @Override
        public SocketChannel openSocketChannel() {
            throw new UnsupportedOperationException();
        }
    }
}
