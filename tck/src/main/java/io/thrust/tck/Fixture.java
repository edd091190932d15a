package io.thrust.tck;

import io.thrust.EventLoop;
import io.thrust.poll.ConnectOptions;
import io.thrust.poll.InputSource;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.Mode;
import io.thrust.poll.OutputSource;
import io.thrust.poll.PipePair;
import io.thrust.poll.Poller;
import io.thrust.poll.PollerProvider;
import io.thrust.poll.Source;
import io.thrust.poll.StreamSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.opentest4j.AssertionFailedError;

/**
 * What one rule works with: it opens pollers, sources and threads, closes them at the end, and fails the rule if a thread
 * of it failed. What it opens it opens with the provider under test, and it waits without a poller, so that a poller's fault
 * shows where it is looked for.
 */
public final class Fixture implements AutoCloseable {
    private final PollerProvider provider;
    private final Environment environment;
    private final List<Poller> pollers = Collections.synchronizedList(new ArrayList<>());
    private final List<Source> sources = Collections.synchronizedList(new ArrayList<>());
    private final List<EventLoop> loops = Collections.synchronizedList(new ArrayList<>());
    private final List<Helper> helpers = Collections.synchronizedList(new ArrayList<>());

    Fixture(PollerProvider provider, Environment environment) {
        this.provider = provider;
        this.environment = environment;
    }

    PollerProvider provider() {
        return provider;
    }

    Environment environment() {
        return environment;
    }

    boolean has(Mode mode) {
        return provider.modes().contains(mode);
    }

    /** Skips the rule if the provider does not declare the mode. */
    void assumeMode(Mode mode) {
        Assumptions.assumeTrue(has(mode), () -> provider.name() + " does not declare mode " + mode);
    }

    /** A body that runs once for each mode. */
    @FunctionalInterface
    interface ModeBody {
        void run(Mode mode) throws Exception;
    }

    /** Runs the body for each mode that the provider declares; a failure says in which mode. */
    void inEachMode(ModeBody body) throws Exception {
        for (Mode mode : Mode.values()) {
            if (has(mode)) {
                try {
                    body.run(mode);
                } catch (AssertionError e) {
                    AssertionError named = new AssertionError("in mode " + mode + ": " + e.getMessage(), e);
                    named.setStackTrace(e.getStackTrace());
                    throw named;
                }
            }
        }
    }

    // ---- opening

    Poller poller() throws IOException {
        return poller(64);
    }

    Poller poller(int capacity) throws IOException {
        Poller poller = provider.openPoller(capacity);
        pollers.add(poller);
        return poller;
    }

    /** A new poller with what the rules need to look at it. */
    Watch watch() throws IOException {
        return watch(64);
    }

    Watch watch(int capacity) throws IOException {
        return new Watch(this, poller(capacity));
    }

    /** A new event loop over a poller of this provider. */
    Loop loop(int batchCapacity) throws IOException {
        EventLoop loop = EventLoop.builder()
                .provider(new PollerKeeper(provider, pollers))
                .batchCapacity(batchCapacity)
                .open();
        loops.add(loop);
        return new Loop(this, loop, pollers.get(pollers.size() - 1));
    }

    <S extends Source> S keep(S source) {
        sources.add(source);
        return source;
    }

    static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    ListenerSource listener() throws IOException {
        return keep(provider.listen(loopback(), ListenOptions.DEFAULT));
    }

    StreamSource connect(SocketAddress address) throws IOException {
        return keep(provider.connect(address, ConnectOptions.DEFAULT));
    }

    /**
     * An address at which nobody listens, nor can while the rule runs. That of a closed listener could be given to another
     * process. This one is of a client that was bound to it before it connected: the port of one that was not is shared
     * with other clients, and a connect that is sent from the port that it is sent to succeeds.
     */
    SocketAddress deadAddress() throws IOException {
        ConnectOptions bound = ConnectOptions.DEFAULT.withLocalAddress(loopback());
        StreamSource client = keep(provider.connect(listener().localAddress(), bound));
        awaitConnected(client);
        return Objects.requireNonNull(client.localAddress(), "the address of a connected stream");
    }

    Connection connection() throws IOException {
        ListenerSource listener = listener();
        Connection connection = connection(listener);
        listener.close();
        sources.remove(listener);
        return connection;
    }

    Connection connection(ListenerSource listener) throws IOException {
        StreamSource client = connect(listener.localAddress());
        StreamSource server = accept(listener);
        awaitConnected(client);
        return new Connection(client, server);
    }

    /** A connection whose buffers are small, where the system allows that, so that a writer soon blocks. */
    Connection narrowConnection() throws IOException {
        ListenerSource listener = keep(provider.listen(loopback(), ListenOptions.DEFAULT.withReceiveBuffer(16 << 10)));
        StreamSource client = keep(provider.connect(
                listener.localAddress(),
                ConnectOptions.DEFAULT.withSendBuffer(16 << 10).withReceiveBuffer(16 << 10)));
        StreamSource server = accept(listener);
        awaitConnected(client);
        listener.close();
        return new Connection(client, server);
    }

    StreamSource accept(ListenerSource listener) throws IOException {
        StreamSource[] accepted = new StreamSource[1];
        await("a connection to accept on " + listener, () -> {
            StreamSource stream = listener.accept();
            if (stream != null) {
                accepted[0] = keep(stream);
            }
            return stream != null;
        });
        return accepted[0];
    }

    void awaitConnected(StreamSource stream) throws IOException {
        await("the connect of " + stream, stream::finishConnect);
    }

    PipePair pipe() throws IOException {
        PipePair pipe = provider.pipe();
        keep(pipe.reader());
        keep(pipe.writer());
        return pipe;
    }

    // ---- waiting without a poller

    /** A condition that may throw. */
    @FunctionalInterface
    interface Condition {
        boolean holds() throws IOException;
    }

    void await(String what, Condition condition) throws IOException {
        long deadline = System.nanoTime() + environment.patienceNanos();
        while (!condition.holds()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionFailedError("waited " + environment.patience() + " in vain for " + what);
            }
            LockSupport.parkNanos(20_000);
        }
    }

    /** Waits until another thread waits, as far as that can be seen, and no longer than a silence. */
    void letItWait(Thread thread) {
        long deadline = System.nanoTime() + environment.silenceNanos();
        while (System.nanoTime() - deadline < 0) {
            Thread.State state = thread.getState();
            if (state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING) {
                return;
            }
            LockSupport.parkNanos(100_000);
        }
    }

    // ---- transferring

    void write(OutputSource target, String text) throws IOException {
        write(target, text.getBytes(StandardCharsets.US_ASCII));
    }

    void write(OutputSource target, byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        await("room to write " + bytes.length + " bytes to " + target, () -> {
            target.write(buffer);
            return !buffer.hasRemaining();
        });
    }

    /** Reads exactly so many bytes, waiting for them. */
    byte[] read(InputSource from, int count) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(count);
        await(count + " bytes from " + from, () -> {
            if (buffer.hasRemaining() && from.read(buffer) == InputSource.END_OF_STREAM) {
                Assertions.fail("end of stream after " + buffer.position() + " of " + count + " bytes from " + from);
            }
            return !buffer.hasRemaining();
        });
        return buffer.array();
    }

    String readText(InputSource from, int count) throws IOException {
        return new String(read(from, count), StandardCharsets.US_ASCII);
    }

    /** Waits for the end of the stream; no byte may come before it. */
    void readEnd(InputSource from) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(16);
        await("the end of stream of " + from, () -> {
            int count = from.read(buffer);
            if (count > 0) {
                Assertions.fail(count + " bytes came from " + from + " instead of the end of stream");
            }
            return count == InputSource.END_OF_STREAM;
        });
    }

    /** Reads what is there until it would block or ends; returns the number of bytes. */
    static int drain(InputSource from) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(64 << 10);
        int total = 0;
        while (true) {
            buffer.clear();
            int count = from.read(buffer);
            if (count < 0) {
                return total;
            }
            total += count;
        }
    }

    /** Writes until it would block; returns the number of bytes. */
    static long fill(OutputSource target) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(64 << 10);
        long total = 0;
        while (true) {
            buffer.clear();
            int count = target.write(buffer);
            if (count < 0) {
                return total;
            }
            total += count;
            if (total > (256L << 20)) {
                throw new AssertionFailedError(
                        "256 MiB were written to " + target + " that nobody reads, and it would still not block");
            }
        }
    }

    /** Ends a stream by a reset. */
    static void reset(StreamSource stream) throws IOException {
        stream.setOption(StandardSocketOptions.SO_LINGER, 0);
        stream.close();
    }

    // ---- threads

    Helper helper(String name, Helper.Body body) {
        Helper helper = new Helper(name, environment.patienceNanos() * 2, body);
        helpers.add(helper);
        return helper.start();
    }

    // ---- file descriptors

    /**
     * The open descriptors of this process; the rule is skipped where they cannot be counted. Where the system tells what
     * they are, files do not count: a JVM opens those of its control group now and then.
     */
    int openDescriptors() {
        Path directory = Path.of("/proc/self/fd");
        if (!Files.isDirectory(directory)) {
            directory = Path.of("/dev/fd");
        }
        Assumptions.assumeTrue(Files.isDirectory(directory), "open descriptors cannot be counted on this system");
        int count = 0;
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                if (!isFile(entry)) {
                    count++;
                }
            }
        } catch (IOException e) {
            Assumptions.abort("open descriptors cannot be counted: " + e);
        }
        return count;
    }

    private static boolean isFile(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).isAbsolute(); // not so: socket:[1234]
        } catch (NotLinkException | UnsupportedOperationException e) {
            return false; // not told here
        } catch (IOException e) {
            return true; // closed meanwhile, as the one of the listing is
        }
    }

    /** Fails if the number of descriptors stays above what it was; some may be released a little later. */
    void expectDescriptorsBackTo(int before, int slack, String after) throws IOException {
        int[] now = new int[1];
        long deadline = System.nanoTime() + environment.patienceNanos();
        do {
            now[0] = openDescriptors();
            if (now[0] <= before + slack) {
                return;
            }
            LockSupport.parkNanos(1_000_000);
        } while (System.nanoTime() - deadline < 0);
        Assertions.fail(now[0] + " descriptors are open after " + after + ", but " + before + " were before");
    }

    // ---- the end

    /** Closes all; the first failure is thrown after everything was closed. */
    @Override
    public void close() {
        Throwable failure = null;
        for (EventLoop loop : List.copyOf(loops)) {
            try {
                loop.close();
            } catch (Throwable e) {
                failure = add(failure, new AssertionError("closing an event loop failed: " + e, e));
            }
        }
        for (Poller poller : List.copyOf(pollers)) {
            try {
                poller.close();
            } catch (Throwable e) {
                failure = add(failure, new AssertionError("closing " + poller + " failed: " + e, e));
            }
        }
        for (Helper helper : List.copyOf(helpers)) {
            try {
                helper.join();
            } catch (Throwable e) {
                failure = add(failure, e);
            }
        }
        for (Source source : List.copyOf(sources)) {
            try {
                source.close();
            } catch (Throwable e) {
                failure = add(failure, new AssertionError("closing " + source + " failed: " + e, e));
            }
        }
        if (failure instanceof Error error) {
            throw error;
        }
    }

    /** After a rule hung: closes the loops and pollers in a thread of its own, which may hang too. */
    void abandon() {
        Thread closer = new Thread(
                () -> {
                    List<AutoCloseable> all = new ArrayList<>(loops);
                    all.addAll(pollers);
                    for (AutoCloseable each : all) {
                        try {
                            each.close();
                        } catch (Throwable e) {
                            // The rule has failed already.
                        }
                    }
                },
                "tck-abandon");
        closer.setDaemon(true);
        closer.start();
    }

    private static Throwable add(@Nullable Throwable first, Throwable next) {
        if (first == null) {
            return next;
        }
        first.addSuppressed(next);
        return first;
    }
}
