package io.thrust.kqueue;

import static org.assertj.core.api.Assertions.assertThat;

import io.thrust.poll.ConnectOptions;
import io.thrust.poll.InputSource;
import io.thrust.poll.Interest;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.Mode;
import io.thrust.poll.OutputSource;
import io.thrust.poll.Poller;
import io.thrust.poll.StreamSource;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** What the tests of this module share. */
final class Net {
    private static final Map<Integer, KqueueProvider> PROVIDERS = new ConcurrentHashMap<>();

    /** How long something that must happen is waited for. */
    static final long PATIENCE = TimeUnit.SECONDS.toNanos(10);

    /** How long nothing must happen. */
    static final long SILENCE = TimeUnit.MILLISECONDS.toNanos(60);

    private Net() {}

    /** The backend over the fixture's layout of 32 bytes. Skips the calling test where the fixture cannot be built. */
    static KqueueProvider provider() {
        return provider(32);
    }

    /** As above, over the layout of this size. */
    static KqueueProvider provider(int layout) {
        if (System.getProperty(KqueueSupport.LIBRARY) != null) {
            return new KqueueProvider(); // in a JVM that has the library by its properties
        }
        KqueueProvider known = PROVIDERS.get(layout);
        return known != null ? known : PROVIDERS.computeIfAbsent(layout, Net::open);
    }

    private static KqueueProvider open(int layout) {
        KqueueSupport support;
        try {
            support = support(Fixture.library(layout).toString(), layoutName(layout));
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
        assertThat(support.availability().reason()).isEmpty();
        return new KqueueProvider(() -> support);
    }

    static String layoutName(int layout) {
        return layout == 32 ? "freebsd11" : layout == 40 ? "netbsd40" : "freebsd12";
    }

    /** What is found on this machine over a library. */
    static KqueueSupport support(String library, String layout) {
        return KqueueSupport.find(
                System.getProperty("os.name"),
                System.getProperty("os.version"),
                System.getProperty("os.arch"),
                library,
                layout);
    }

    record Pair(StreamSource client, StreamSource server) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            client.close();
            server.close();
        }
    }

    static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    static ListenerSource listen() throws IOException {
        return provider().listen(loopback(), ListenOptions.DEFAULT);
    }

    static StreamSource connect(SocketAddress address) throws IOException {
        StreamSource stream = provider().connect(address, ConnectOptions.DEFAULT);
        finish(stream);
        return stream;
    }

    static void finish(StreamSource stream) throws IOException {
        try (Poller poller = provider().openPoller(1)) {
            poller.register(stream, 0, Interest.READ_WRITE, Mode.LEVEL);
            long start = System.nanoTime();
            while (!stream.finishConnect()) {
                if (System.nanoTime() - start > PATIENCE) {
                    throw new AssertionError("no connection: " + stream);
                }
                poller.poll(PATIENCE);
            }
        }
    }

    static StreamSource accept(ListenerSource listener) throws IOException {
        try (Poller poller = provider().openPoller(1)) {
            poller.register(listener, 0, Interest.READ, Mode.LEVEL);
            poller.poll(PATIENCE);
            StreamSource accepted = listener.accept();
            if (accepted == null) {
                throw new AssertionError("no connection at " + listener);
            }
            return accepted;
        }
    }

    static Pair pair() throws IOException {
        try (ListenerSource listener = listen()) {
            StreamSource client = connect(listener.localAddress());
            return new Pair(client, accept(listener));
        }
    }

    /** Waits, apart from any poller under test, until reading gives something else than that it would block. */
    static int readSome(InputSource source, ByteBuffer dst) throws IOException {
        try (Poller poller = provider().openPoller(1)) {
            poller.register(source, 0, Interest.READ, Mode.LEVEL);
            if (poller.poll(PATIENCE) == 0) {
                throw new AssertionError("nothing to read from " + source);
            }
            return source.read(dst);
        }
    }

    static String readFully(InputSource source) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
        while (readSome(source, buffer) != InputSource.END_OF_STREAM) {
            all.write(buffer.array(), 0, buffer.position());
            buffer.clear();
        }
        return all.toString(StandardCharsets.UTF_8);
    }

    static void write(OutputSource source, String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            source.write(bytes);
        }
    }

    /**
     * The open sockets, pipes and the like of this process, or -1 where they cannot be told. Files do not count: the JVM
     * itself opens those of the control group now and then.
     */
    static int openDescriptors() {
        File[] links = new File("/proc/self/fd").listFiles();
        if (links == null) {
            return -1;
        }
        int count = 0;
        for (File link : links) {
            try {
                if (!Files.readSymbolicLink(link.toPath()).isAbsolute()) {
                    count++; // such as socket:[1234]
                }
            } catch (IOException e) {
                continue; // closed meanwhile, as the one of the listing is
            }
        }
        return count;
    }
}
