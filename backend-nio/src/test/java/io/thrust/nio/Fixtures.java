package io.thrust.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.thrust.backend.ChildJvm;
import io.thrust.backend.Net;
import io.thrust.poll.InputSource;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.Poller;
import io.thrust.poll.PollerProvider;
import io.thrust.poll.ReadyEvents;
import io.thrust.poll.StreamSource;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What the tests have in common. */
final class Fixtures {
    static final NioProvider NIO = new NioProvider();

    static final Net NET = new Net(NIO);

    private Fixtures() {}

    /** A port that nobody listens on. */
    static InetSocketAddress closedPort() throws IOException {
        try (ListenerSource listener = NET.listen()) {
            return (InetSocketAddress) listener.localAddress();
        }
    }

    /** Reads what is there, without waiting. */
    static String read(InputSource source) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(4096);
        int n = source.read(bytes);
        return n < 0 ? "" : new String(bytes.array(), 0, n, StandardCharsets.US_ASCII);
    }

    static List<Long> keys(Poller poller) {
        List<Long> keys = new ArrayList<>();
        ReadyEvents events = poller.events();
        for (int i = 0; i < events.size(); i++) {
            if (!events.isBlank(i)) {
                keys.add(events.key(i));
            }
        }
        return keys;
    }

    /** A JVM that has the backend and this class, which is in the tests, and nothing else. */
    static ChildJvm childJvm(Class<?> main) throws URISyntaxException {
        String classPath = String.join(
                File.pathSeparator,
                location(PollerProvider.class).toString(),
                location(NioProvider.class).toString(),
                location(main).toString());
        return new ChildJvm().withClassPath(classPath);
    }

    static Path location(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    static SocketAddress local(StreamSource stream) throws IOException {
        SocketAddress local = stream.localAddress();
        assertThat(local).isNotNull();
        return local;
    }
}
