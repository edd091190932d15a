package io.thrust.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thrust.EventLoop;
import io.thrust.backend.Net;
import io.thrust.kqueue.FixtureProvider;
import io.thrust.net.TcpListener;
import io.thrust.net.TcpStream;
import io.thrust.poll.Availability;
import io.thrust.poll.BrokenPipeException;
import io.thrust.poll.ConnectionResetException;
import io.thrust.poll.DiscoveredProvider;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.PollerProvider;
import io.thrust.poll.Pollers;
import io.thrust.task.Async;
import io.thrust.task.Task;
import io.thrust.task.Waker;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A loop over one backend, and what the tests that use it have in common. */
abstract class LoopTest {
    /** How long to wait for what must come. */
    static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);

    static final int CHUNK = 8 * 1024;

    final PollerProvider provider;
    EventLoop loop;
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    LoopTest(PollerProvider provider) {
        this.provider = provider;
    }

    /**
     * The providers that are available here and open sockets of the system's, which those of the kit's own tests do not.
     * And kqueue over the fixture, in each layout: where it was not built, the tests are skipped and say why.
     */
    static List<PollerProvider> providers() {
        return Stream.concat(
                        Pollers.discover().stream()
                                .filter(DiscoveredProvider::isAvailable)
                                .filter(found -> !found.className().startsWith("io.thrust.tck."))
                                .map(found -> new Named(Objects.requireNonNull(found.provider()))),
                        Stream.of(
                                kqueue("libthrustkq32.so", "freebsd11"),
                                kqueue("libthrustkq40.so", "netbsd40"),
                                kqueue("libthrustkq64.so", "freebsd12")))
                .toList();
    }

    private static PollerProvider kqueue(String library, String layout) {
        return new Named(FixtureProvider.of(library, layout), "kqueue " + layout);
    }

    @BeforeEach
    final void open() throws IOException {
        Availability availability = provider.availability();
        assumeTrue(availability.isAvailable(), availability.reason());
        loop = EventLoop.open(provider);
    }

    @AfterEach
    final void close() throws Exception {
        if (loop == null) {
            return; // skipped
        }
        loop.close();
        assertThat(loop.awaitClosed(20, TimeUnit.SECONDS)).isTrue();
        for (Thread thread : threads) {
            thread.join(TimeUnit.NANOSECONDS.toMillis(PATIENCE));
            assertThat(thread.isAlive()).isFalse();
        }
        assertThat(failures).isEmpty();
    }

    // ---- connections

    static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** Listens on a port of the system's choice. */
    final TcpListener listen() throws IOException {
        return TcpListener.bind(loop, loopback(0), ListenOptions.DEFAULT);
    }

    /** Both ends of a connection. */
    record Pair(TcpStream client, TcpStream server) {
        void close() throws IOException {
            client.close();
            server.close();
        }
    }

    final Pair pair() throws IOException {
        try (TcpListener listener = listen()) {
            return pair(listener);
        }
    }

    final Pair pair(TcpListener listener) throws IOException {
        return loop.blockOn(Async.lazy(() -> {
            Task<TcpStream> accepted = loop.spawn(listener.accept());
            return TcpStream.connect(listener.localAddress())
                    .then(client -> accepted.join().map(server -> new Pair(client, server)));
        }));
    }

    // ---- bytes

    static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    static String text(ByteBuffer read) {
        return new String(read.array(), 0, read.position(), StandardCharsets.US_ASCII);
    }

    /** Reads until the buffer is full or the stream ends; has the buffer as its result. */
    static Async<ByteBuffer> fill(TcpStream stream, ByteBuffer dst) {
        return Async.loop(() -> stream.read(dst).map(n -> n > 0 && dst.hasRemaining()))
                .map(none -> dst);
    }

    static Async<ByteBuffer> fill(TcpStream stream, int length) {
        return fill(stream, ByteBuffer.allocate(length));
    }

    /** Reads until the end of the stream. */
    static Async<byte[]> readAll(TcpStream stream) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteBuffer buffer = ByteBuffer.allocate(CHUNK);
        return Async.loop(() -> stream.read(buffer.clear()).map(n -> {
                    all.write(buffer.array(), 0, Math.max(n, 0));
                    return n > 0;
                }))
                .map(none -> all.toByteArray());
    }

    /** Sends back what it reads, to the end of the stream or until the peer has gone, then closes. */
    static Async<Void> echo(TcpStream stream) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(CHUNK);
        return closing(
                stream,
                Async.loop(() -> stream.read(buffer.clear())
                        .then(n -> n < 0
                                ? Async.ready(false)
                                : stream.writeAll(buffer.flip()).map(none -> true))));
    }

    /** A conversation that closes its stream however it ends, and may be ended by the peer at any time. */
    private static Async<Void> closing(TcpStream stream, Async<Void> conversation) {
        return new Async<>() {
            @Override
            public boolean poll(Waker waker) throws Exception {
                try {
                    if (conversation.poll(waker) == PENDING) {
                        return PENDING;
                    }
                } catch (ConnectionResetException | BrokenPipeException e) {
                    // The peer does not wait for an answer.
                } catch (Throwable t) {
                    LoopTest.close(stream);
                    throw t;
                }
                LoopTest.close(stream);
                return READY;
            }

            @Override
            public Void result() {
                return null;
            }

            @Override
            public void cancel() {
                conversation.cancel();
                LoopTest.close(stream);
            }
        };
    }

    /** Accepts for ever, and spawns an echo in the background for each connection. */
    final Async<Void> echoServer(TcpListener listener) {
        return Async.loop(() -> listener.accept().map(stream -> {
            loop.spawnBackground(echo(stream));
            return true;
        }));
    }

    static void close(TcpStream stream) {
        try {
            stream.close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Bytes that are different for each seed, and at each place. */
    static byte[] pattern(int length, int seed) {
        byte[] bytes = new byte[length];
        int state = seed * 0x9E3779B9 + 1;
        for (int i = 0; i < length; i++) {
            state ^= state << 13;
            state ^= state >>> 17;
            state ^= state << 5;
            bytes[i] = (byte) state;
        }
        return bytes;
    }

    static long checksum(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes);
        return crc.getValue();
    }

    // ---- threads and descriptors

    /** Something that may throw. */
    @FunctionalInterface
    interface Action {
        void run() throws Exception;
    }

    /** Runs on a thread of its own, whose failure fails the test. */
    final Thread start(String name, Action action) {
        Thread thread = new Thread(
                () -> {
                    try {
                        action.run();
                    } catch (Throwable t) {
                        failures.add(t);
                    }
                },
                name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
        return thread;
    }

    /** Runs on another thread, to its end. */
    final void onOtherThread(Action action) throws InterruptedException {
        start("other", action).join(TimeUnit.NANOSECONDS.toMillis(PATIENCE));
    }

    /** See {@link Net#openDescriptors}. */
    static int descriptors() {
        return Net.openDescriptors();
    }

    /** Waits until no more descriptors are open than before. */
    static void assertDescriptors(int before) {
        long start = System.nanoTime();
        while (descriptors() > before && System.nanoTime() - start < PATIENCE) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(descriptors()).isLessThanOrEqualTo(before);
    }
}
