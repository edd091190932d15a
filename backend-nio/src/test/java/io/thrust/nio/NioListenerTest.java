package io.thrust.nio;

import static io.thrust.backend.Net.PATIENCE;
import static io.thrust.backend.Net.SILENCE;
import static io.thrust.backend.Net.write;
import static io.thrust.nio.Fixtures.NET;
import static io.thrust.nio.Fixtures.NIO;
import static io.thrust.nio.Fixtures.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thrust.backend.Net;
import io.thrust.backend.Net.Pair;
import io.thrust.poll.ConnectOptions;
import io.thrust.poll.Interest;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.Mode;
import io.thrust.poll.Poller;
import io.thrust.poll.StreamSource;
import io.thrust.poll.TooManyOpenFilesException;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class NioListenerTest {
    @TempDir
    Path directory;

    @Test
    void aListenerIsReadableOncePerEdgeAndAcceptsAll() throws Exception {
        try (ListenerSource listener = NET.listen();
                Poller poller = NIO.openPoller(8)) {
            poller.register(listener, 1, Interest.READ, Mode.EDGE);
            assertThat(poller.poll(SILENCE)).isZero();
            try (StreamSource first = NIO.connect(listener.localAddress(), ConnectOptions.DEFAULT);
                    StreamSource second = NIO.connect(listener.localAddress(), ConnectOptions.DEFAULT)) {
                assertThat(poller.poll(PATIENCE)).isEqualTo(1);
                NET.finish(first);
                NET.finish(second);
                assertThat(poller.poll(SILENCE)).isZero();
                for (int i = 0; i < 2; i++) {
                    StreamSource accepted = listener.accept();
                    assertThat(accepted).isNotNull();
                    assertThat(accepted.getOption(StandardSocketOptions.TCP_NODELAY))
                            .isTrue();
                    assertThat(accepted.read(ByteBuffer.allocate(1))).isEqualTo(-2);
                    accepted.close();
                }
                assertThat(listener.accept()).isNull();
                poller.rearm(listener, Interest.READ);
                assertThat(poller.poll(SILENCE)).isZero();
            }
            assertThatThrownBy(() -> poller.modify(listener, 1, Interest.READ_WRITE, Mode.EDGE))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void noDelayIsOffOnAcceptedStreamsIfAskedFor() throws Exception {
        try (ListenerSource listener = NIO.listen(Net.loopback(), ListenOptions.DEFAULT.withNoDelay(false));
                Pair pair = NET.pair(listener)) {
            assertThat(pair.server().getOption(StandardSocketOptions.TCP_NODELAY))
                    .isFalse();
        }
    }

    @Test
    void anAddressInUseIsABindExceptionThatNamesIt() throws Exception {
        try (ListenerSource listener = NET.listen()) {
            assertThatThrownBy(() -> NIO.listen(listener.localAddress(), ListenOptions.DEFAULT))
                    .isInstanceOf(BindException.class)
                    .hasMessage("listen on " + Addresses.text(listener.localAddress()) + ": address already in use");
        }
        assertThatThrownBy(() -> NIO.listen(new InetSocketAddress("192.0.2.1", 0), ListenOptions.DEFAULT))
                .isInstanceOf(BindException.class)
                .hasMessage("listen on 192.0.2.1:0: address not available on this machine");
    }

    @Test
    void reusePortSharesAPort() throws Exception {
        ListenOptions shared = ListenOptions.DEFAULT.withReusePort(true);
        ListenerSource first;
        try {
            first = NIO.listen(Net.loopback(), shared);
        } catch (UnsupportedOperationException e) {
            Assumptions.abort(e.getMessage());
            return;
        }
        try (first;
                ListenerSource second = NIO.listen(first.localAddress(), shared)) {
            assertThat(second.localAddress()).isEqualTo(first.localAddress());
        }
    }

    @Test
    void connectionsThatWereResetInTheQueueDoNotHideAnHonestOne() throws Exception {
        try (ListenerSource listener = NET.listen()) {
            for (int i = 0; i < 20; i++) {
                StreamSource client = NIO.connect(listener.localAddress(), ConnectOptions.DEFAULT);
                NET.finish(client);
                client.setOption(StandardSocketOptions.SO_LINGER, 0);
                client.close();
            }
            try (StreamSource honest = NIO.connect(listener.localAddress(), ConnectOptions.DEFAULT)) {
                NET.finish(honest);
                StreamSource accepted;
                do {
                    accepted = NET.accept(listener);
                    if (!accepted.remoteAddress().equals(honest.localAddress())) {
                        accepted.close();
                    }
                } while (!accepted.isOpen());
                write(honest, "x");
                NET.await(accepted);
                assertThat(read(accepted)).isEqualTo("x");
                accepted.close();
            }
        }
    }

    @Test
    void aFullDescriptorTableIsReportedAndRecoveredFrom() throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/bin/sh")));
        String output = Fixtures.childJvm(FullTable.class).withDescriptors(64).run(FullTable.class);
        assertThat(output).contains("accept: too many open files").contains("accepted after that");
        assertThat(output).contains("poller: too many open files");
    }

    /** The JDK needs descriptors for its first write, and would never write again if there were none. */
    @Test
    void theFirstWriteNeedsNoDescriptor() throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/bin/sh")));
        String output = Fixtures.childJvm(FirstWrite.class).withDescriptors(64).run(FirstWrite.class);
        assertThat(output).contains("written without descriptors");
    }

    /** Neither writes nor closes anything before all descriptors are taken. */
    static final class FirstWrite {
        public static void main(String[] args) throws Exception {
            NioProvider nio = new NioProvider();
            InetSocketAddress local = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            ListenerSource listener = nio.listen(local, ListenOptions.DEFAULT);
            Poller poller = nio.openPoller(8);
            StreamSource client = nio.connect(listener.localAddress(), ConnectOptions.DEFAULT);
            while (!client.finishConnect()) {
                Thread.onSpinWait();
            }
            poller.register(client, 1, Interest.READ, Mode.EDGE);
            ByteBuffer oneByte = ByteBuffer.allocateDirect(1);
            List<Object> fill = new ArrayList<>();
            try {
                while (true) {
                    fill.add(new FileInputStream("/dev/null"));
                }
            } catch (FileNotFoundException e) {
                System.out.println("full after " + fill.size());
            }
            if (client.write(oneByte) == 1) {
                System.out.println("written without descriptors");
            }
        }
    }

    /** Runs in a Java of its own that may have few descriptors. */
    static final class FullTable {
        public static void main(String[] args) throws Exception {
            NioProvider nio = new NioProvider();
            InetSocketAddress local = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            ListenerSource listener = nio.listen(local, ListenOptions.DEFAULT);
            // Loads the selector's own classes while there is room.
            nio.openPoller(1).close();
            StreamSource waiting = nio.connect(listener.localAddress(), ConnectOptions.DEFAULT);
            while (!waiting.finishConnect()) {
                Thread.onSpinWait();
            }
            List<StreamSource> fill = new ArrayList<>();
            try {
                while (true) {
                    fill.add(nio.connect(listener.localAddress(), ConnectOptions.DEFAULT));
                }
            } catch (TooManyOpenFilesException e) {
                System.out.println("connect: " + e.getMessage());
            }
            // The Java machine uses a descriptor of its own now and then, so the last one may have become free.
            List<StreamSource> accepted = new ArrayList<>();
            try {
                while (accepted.size() < fill.size()) {
                    accepted.add(listener.accept());
                }
            } catch (TooManyOpenFilesException e) {
                System.out.println(
                        "accept: " + e.getMessage().substring(e.getMessage().indexOf(": ") + 2));
            }
            String refusal = "opened though full";
            for (int i = 0; i < 100; i++) {
                try {
                    nio.openPoller(1).close();
                } catch (TooManyOpenFilesException e) {
                    refusal = e.getMessage().substring(e.getMessage().indexOf(": ") + 2);
                }
            }
            System.out.println("poller: " + refusal);
            fill.remove(0).close();
            fill.remove(0).close();
            if (listener.accept() != null) {
                System.out.println("accepted after that");
            }
        }
    }

    // ---- Unix domain

    @Test
    void unixStreamsCarryBytesAndTheFileGoesWithTheListener() throws Exception {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(directory.resolve("socket"));
        ListenerSource listener;
        try {
            listener = NIO.listen(address, ListenOptions.DEFAULT);
        } catch (java.nio.channels.UnsupportedAddressTypeException e) {
            Assumptions.abort("no Unix domain sockets here");
            return;
        }
        try (Pair pair = NET.pair(listener)) {
            assertThat(listener.localAddress()).isEqualTo(address);
            assertThat(listener).hasToString("unix listener " + address.getPath());
            assertThat(pair.client()).hasToString("unix stream (unnamed)->" + address.getPath());
            assertThat(pair.client().isDrainedByShortRead()).isFalse();
            assertThat(pair.client().supportedOptions()).doesNotContain(StandardSocketOptions.TCP_NODELAY);
            write(pair.client(), "x");
            NET.await(pair.server());
            assertThat(read(pair.server())).isEqualTo("x");
            pair.client().close();
            NET.await(pair.server());
            assertThat(pair.server().read(ByteBuffer.allocate(1))).isEqualTo(-1);
        }
        assertThat(address.getPath()).exists();
        listener.close();
        assertThat(address.getPath()).doesNotExist();
        assertThatThrownBy(() -> NIO.connect(address, ConnectOptions.DEFAULT))
                .isInstanceOf(SocketException.class)
                .hasMessage("connect to " + address.getPath() + ": no such file or directory");
    }

    @Test
    void whateverLiesAtThePathIsLeftAlone() throws Exception {
        Path file = Files.writeString(directory.resolve("precious"), "data");
        assertThatThrownBy(() -> NIO.listen(UnixDomainSocketAddress.of(file), ListenOptions.DEFAULT))
                .isInstanceOf(BindException.class)
                .hasMessage("listen on " + file + ": address already in use");
        assertThat(file).hasContent("data");
    }

    @Test
    void aFileThatTookThePlaceOfTheSocketIsLeftAlone() throws Exception {
        Path path = directory.resolve("socket");
        ListenerSource listener = NIO.listen(UnixDomainSocketAddress.of(path), ListenOptions.DEFAULT);
        Files.move(path, directory.resolve("moved"));
        Files.writeString(path, "successor");
        listener.close();
        assertThat(path).hasContent("successor");
    }

    @Test
    void aStaleSocketFileRefusesConnections() throws Exception {
        Path path = directory.resolve("socket");
        ListenerSource listener = NIO.listen(UnixDomainSocketAddress.of(path), ListenOptions.DEFAULT);
        Path moved = Files.move(path, directory.resolve("moved"));
        listener.close();
        assertThatThrownBy(() -> NIO.connect(UnixDomainSocketAddress.of(moved), ConnectOptions.DEFAULT))
                .isInstanceOf(ConnectException.class)
                .hasMessage("connect to " + moved + ": connection refused");
    }

    @Test
    void aFullUnixBacklogFailsTheConnectAtOnce() throws Exception {
        Path path = directory.resolve("socket");
        List<StreamSource> clients = new ArrayList<>();
        try (ListenerSource listener =
                NIO.listen(UnixDomainSocketAddress.of(path), ListenOptions.DEFAULT.withBacklog(1))) {
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 100; i++) {
                            clients.add(NIO.connect(UnixDomainSocketAddress.of(path), ConnectOptions.DEFAULT));
                        }
                    })
                    .isInstanceOf(ConnectException.class)
                    .hasMessageStartingWith("connect to " + path + ": ");
            assertThat(clients).isNotEmpty();
        } finally {
            for (StreamSource client : clients) {
                client.close();
            }
        }
    }
}
