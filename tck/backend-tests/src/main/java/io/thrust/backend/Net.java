package io.thrust.backend;

import io.thrust.poll.ConnectOptions;
import io.thrust.poll.InputSource;
import io.thrust.poll.Interest;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.Mode;
import io.thrust.poll.OutputSource;
import io.thrust.poll.Poller;
import io.thrust.poll.PollerProvider;
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

/** Connections over one backend. What waits does so with a poller of its own, apart from any that is under test. */
public final class Net {
    /** How long something that must happen is waited for. */
    public static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);

    /** How long nothing must happen. */
    public static final long SILENCE = TimeUnit.MILLISECONDS.toNanos(60);

    private final PollerProvider provider;

    public Net(PollerProvider provider) {
        this.provider = provider;
    }

    /** Both ends of a connection. */
    public record Pair(StreamSource client, StreamSource server) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            client.close();
            server.close();
        }
    }

    public static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    public ListenerSource listen() throws IOException {
        return provider.listen(loopback(), ListenOptions.DEFAULT);
    }

    public StreamSource connect(SocketAddress address) throws IOException {
        StreamSource stream = provider.connect(address, ConnectOptions.DEFAULT);
        finish(stream);
        return stream;
    }

    /** Waits until a stream is connected. */
    public void finish(StreamSource stream) throws IOException {
        try (Poller poller = provider.openPoller(1)) {
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

    public StreamSource accept(ListenerSource listener) throws IOException {
        try (Poller poller = provider.openPoller(1)) {
            poller.register(listener, 0, Interest.READ, Mode.LEVEL);
            StreamSource accepted = listener.accept();
            while (accepted == null) {
                if (poller.poll(PATIENCE) == 0) {
                    throw new AssertionError("no connection at " + listener);
                }
                accepted = listener.accept();
            }
            return accepted;
        }
    }

    public Pair pair() throws IOException {
        try (ListenerSource listener = listen()) {
            return pair(listener);
        }
    }

    public Pair pair(ListenerSource listener) throws IOException {
        StreamSource client = connect(listener.localAddress());
        return new Pair(client, accept(listener));
    }

    /** Waits until a source is readable. */
    public void await(InputSource source) throws IOException {
        try (Poller poller = provider.openPoller(1)) {
            poller.register(source, 0, Interest.READ, Mode.LEVEL);
            if (poller.poll(PATIENCE) == 0) {
                throw new AssertionError("nothing to read from " + source);
            }
        }
    }

    /** Waits until all that was sent has come: level-triggered, so that no edge of another poller is used up. */
    public void awaitEndOfStream(StreamSource stream) throws IOException {
        try (Poller poller = provider.openPoller(1)) {
            poller.register(stream, 0, Interest.READ, Mode.LEVEL);
            long start = System.nanoTime();
            do {
                if (poller.poll(PATIENCE) == 0 || System.nanoTime() - start > PATIENCE) {
                    throw new AssertionError("no end of " + stream);
                }
            } while (!poller.events().isHangup(0));
        }
    }

    /** Waits until reading gives something else than that it would block. */
    public int readSome(InputSource source, ByteBuffer dst) throws IOException {
        await(source);
        return source.read(dst);
    }

    public String readFully(InputSource source) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
        long start = System.nanoTime();
        while (readSome(source, buffer) != InputSource.END_OF_STREAM) {
            if (System.nanoTime() - start > PATIENCE) {
                throw new AssertionError("no end of " + source);
            }
            all.write(buffer.array(), 0, buffer.position());
            buffer.clear();
        }
        return all.toString(StandardCharsets.UTF_8);
    }

    public static void write(OutputSource source, String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            source.write(bytes);
        }
    }

    /**
     * The open sockets, pipes and the like of this process, or -1 where they cannot be told. Files do not count: the JVM
     * itself opens those of the control group now and then.
     */
    public static int openDescriptors() {
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
                // Closed meanwhile, as the one of the listing is.
            }
        }
        return count;
    }
}
