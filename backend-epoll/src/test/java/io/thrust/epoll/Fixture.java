package io.thrust.epoll;

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
import java.util.concurrent.TimeUnit;

/** What the tests of this module share. */
final class Fixture {
    static final EpollProvider PROVIDER = new EpollProvider();

    /** How long something that must happen is waited for. */
    static final long PATIENCE = TimeUnit.SECONDS.toNanos(10);

    /** How long nothing must happen. */
    static final long SILENCE = TimeUnit.MILLISECONDS.toNanos(60);

    private Fixture() {}

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
        return PROVIDER.listen(loopback(), ListenOptions.DEFAULT);
    }

    static StreamSource connect(SocketAddress address) throws IOException {
        StreamSource stream = PROVIDER.connect(address, ConnectOptions.DEFAULT);
        finish(stream);
        return stream;
    }

    static void finish(StreamSource stream) throws IOException {
        try (Poller poller = PROVIDER.openPoller(1)) {
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
        try (Poller poller = PROVIDER.openPoller(1)) {
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
        try (Poller poller = PROVIDER.openPoller(1)) {
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
