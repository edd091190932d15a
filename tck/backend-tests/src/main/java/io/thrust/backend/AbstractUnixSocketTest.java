package io.thrust.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thrust.poll.BrokenPipeException;
import io.thrust.poll.ConnectOptions;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.StreamSource;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.UnsupportedAddressTypeException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
public abstract class AbstractUnixSocketTest extends AbstractBackendTest {
    @TempDir
    Path directory;

    private UnixDomainSocketAddress address(String name) {
        return UnixDomainSocketAddress.of(directory.resolve(name));
    }

    /** A part of the message about a path that is too long. */
    protected String tooLong() {
        return "107";
    }

    @Test
    void carriesBytesBothWaysAndNamesItsEnds() throws IOException {
        UnixDomainSocketAddress address = address("s");
        try (ListenerSource listener = provider().listen(address, ListenOptions.DEFAULT);
                StreamSource client = net().connect(address)) {
            StreamSource server = net().accept(listener);
            Net.write(client, "ping");
            client.shutdownOutput();
            assertThat(net().readFully(server)).isEqualTo("ping");
            Net.write(server, "pong");
            server.close();
            assertThat(net().readFully(client)).isEqualTo("pong");
            assertThatThrownBy(() -> client.write(ByteBuffer.allocate(1))).isInstanceOf(BrokenPipeException.class);

            assertThat(listener.localAddress()).isEqualTo(address);
            assertThat(client.remoteAddress()).isEqualTo(address);
            assertThat(server.remoteAddress()).isEqualTo(UnixDomainSocketAddress.of(""));
            assertThat(client.isDrainedByShortRead()).isFalse();
            assertThat(listener).hasToString("unix listener " + address);
            assertThat(client).hasToString("unix stream (unnamed)->" + address);
            assertThat(client.supportedOptions()).contains(StandardSocketOptions.SO_SNDBUF);
            assertThatThrownBy(() -> client.setOption(StandardSocketOptions.TCP_NODELAY, true))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("TCP_NODELAY")
                    .hasMessageContaining("SO_SNDBUF");
        }
    }

    @Test
    void whateverLiesAtThePathIsNotTouched() throws IOException {
        int before = Net.openDescriptors();
        Path file = Files.writeString(directory.resolve("precious"), "data");
        Path link = Files.createSymbolicLink(directory.resolve("link"), directory.resolve("nowhere"));
        for (Path path : new Path[] {file, link, directory}) {
            UnixDomainSocketAddress address = UnixDomainSocketAddress.of(path);
            assertThatThrownBy(() -> provider().listen(address, ListenOptions.DEFAULT))
                    .isInstanceOf(BindException.class)
                    .hasMessage("listen on " + path + ": address already in use");
        }
        try (ListenerSource listener = provider().listen(address("s"), ListenOptions.DEFAULT)) {
            ConnectOptions options = ConnectOptions.DEFAULT.withLocalAddress(UnixDomainSocketAddress.of(file));
            assertThatThrownBy(() -> provider().connect(address("s"), options))
                    .isInstanceOf(BindException.class)
                    .hasMessageContaining("bind to " + file);
            assertThatThrownBy(() -> provider().listen(address("s"), ListenOptions.DEFAULT))
                    .isInstanceOf(BindException.class);
            net().connect(listener.localAddress()).close();
        }
        assertThat(file).hasContent("data");
        assertThat(Files.isSymbolicLink(link)).isTrue();
        assertThat(Net.openDescriptors()).isEqualTo(before);
    }

    @Test
    void theSocketFileGoesWithItsSourceUnlessItWasReplaced() throws IOException {
        UnixDomainSocketAddress first = address("a");
        ListenerSource listener = provider().listen(first, ListenOptions.DEFAULT);
        StreamSource bound = provider().connect(first, ConnectOptions.DEFAULT.withLocalAddress(address("b")));
        assertThat(bound.localAddress()).isEqualTo(address("b"));
        StreamSource accepted = net().accept(listener);
        assertThat(accepted.remoteAddress()).isEqualTo(address("b"));
        accepted.close();
        bound.close();
        assertThat(directory.resolve("b")).doesNotExist();
        listener.close();
        assertThat(directory.resolve("a")).doesNotExist();

        ListenerSource replaced = provider().listen(first, ListenOptions.DEFAULT);
        Files.move(directory.resolve("a"), directory.resolve("moved"));
        Files.writeString(directory.resolve("a"), "another");
        replaced.close();
        assertThat(directory.resolve("a")).hasContent("another");

        ListenerSource gone = provider().listen(address("gone"), ListenOptions.DEFAULT);
        Files.delete(directory.resolve("gone"));
        gone.close();
    }

    @Test
    void failuresNameThePath() {
        int before = Net.openDescriptors();
        assertThatThrownBy(() -> provider().connect(address("none"), ConnectOptions.DEFAULT))
                .isInstanceOf(SocketException.class)
                .hasMessage("connect to " + directory.resolve("none") + ": no such file or directory");
        assertThatThrownBy(() -> {
                    Files.writeString(directory.resolve("file"), "");
                    provider().connect(address("file"), ConnectOptions.DEFAULT);
                })
                .isInstanceOf(ConnectException.class)
                .hasMessage("connect to " + directory.resolve("file") + ": connection refused");
        assertThatThrownBy(() -> provider().listen(address("no/dir"), ListenOptions.DEFAULT))
                .isInstanceOf(SocketException.class)
                .hasMessage("listen on " + directory.resolve("no/dir") + ": no such file or directory");
        String tooLong = "x".repeat(108);
        assertThatThrownBy(() -> provider().listen(address(tooLong), ListenOptions.DEFAULT))
                .isInstanceOf(SocketException.class)
                .hasMessageContaining(tooLong());
        assertThatThrownBy(() -> provider().connect(UnixDomainSocketAddress.of(""), ConnectOptions.DEFAULT))
                .isInstanceOf(SocketException.class);
        assertThatThrownBy(() -> provider()
                        .connect(address("s"), ConnectOptions.DEFAULT.withLocalAddress(new InetSocketAddress(0))))
                .isInstanceOf(UnsupportedAddressTypeException.class);
        assertThat(Net.openDescriptors()).isEqualTo(before);
    }

    @Test
    void aFullQueueRefusesAndLeaksNothing() throws IOException {
        UnixDomainSocketAddress address = address("s");
        try (ListenerSource listener = provider().listen(address, ListenOptions.DEFAULT.withBacklog(1))) {
            int before = Net.openDescriptors();
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 100; i++) {
                            StreamSource stream = provider().connect(address, ConnectOptions.DEFAULT);
                            stream.close();
                        }
                    })
                    .isInstanceOf(ConnectException.class)
                    .hasMessageContaining("connect to " + address)
                    .hasMessageContaining("queue is full");
            assertThat(Net.openDescriptors()).isEqualTo(before);
            net().accept(listener).close();
        }
    }
}
