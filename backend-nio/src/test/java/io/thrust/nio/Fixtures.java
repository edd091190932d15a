package io.thrust.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.thrust.poll.ConnectOptions;
import io.thrust.poll.InputSource;
import io.thrust.poll.Interest;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.Mode;
import io.thrust.poll.OutputSource;
import io.thrust.poll.Poller;
import io.thrust.poll.PollerProvider;
import io.thrust.poll.ReadyEvents;
import io.thrust.poll.StreamSource;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What the tests have in common. */
final class Fixtures {
    /** How long to wait for what must come. */
    static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);
    /** How long to watch for what must not come. */
    static final long SILENCE = TimeUnit.MILLISECONDS.toNanos(60);

    static final NioProvider NIO = new NioProvider();

    private Fixtures() {}

    static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    static ListenerSource listen() throws IOException {
        return NIO.listen(loopback(0), ListenOptions.DEFAULT);
    }

    /** A port that nobody listens on. */
    static InetSocketAddress closedPort() throws IOException {
        try (ListenerSource listener = listen()) {
            return (InetSocketAddress) listener.localAddress();
        }
    }

    /** A connected pair: the connecting end and the accepted one. */
    record Pair(StreamSource client, StreamSource server) implements Closeable {
        static Pair open() throws IOException {
            try (ListenerSource listener = listen()) {
                return open(listener);
            }
        }

        static Pair open(ListenerSource listener) throws IOException {
            StreamSource client = NIO.connect(listener.localAddress(), ConnectOptions.DEFAULT);
            connected(client);
            return new Pair(client, accept(listener));
        }

        @Override
        public void close() throws IOException {
            client.close();
            server.close();
        }
    }

    static void connected(StreamSource stream) throws IOException {
        try (Poller poller = NIO.openPoller(1)) {
            poller.register(stream, 0, Interest.WRITE, Mode.LEVEL);
            while (!stream.finishConnect()) {
                assertThat(poller.poll(PATIENCE)).isEqualTo(1);
            }
            poller.deregister(stream);
        }
    }

    static StreamSource accept(ListenerSource listener) throws IOException {
        try (Poller poller = NIO.openPoller(1)) {
            poller.register(listener, 0, Interest.READ, Mode.LEVEL);
            StreamSource accepted = listener.accept();
            while (accepted == null) {
                assertThat(poller.poll(PATIENCE)).isEqualTo(1);
                accepted = listener.accept();
            }
            poller.deregister(listener);
            return accepted;
        }
    }

    static void await(InputSource source) throws IOException {
        try (Poller poller = NIO.openPoller(1)) {
            poller.register(source, 0, Interest.READ, Mode.LEVEL);
            assertThat(poller.poll(PATIENCE)).as("readiness of %s", source).isEqualTo(1);
            poller.deregister(source);
        }
    }

    static void write(OutputSource source, String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
        assertThat(source.write(bytes)).isEqualTo(text.length());
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

    /** Runs the main method of a class in a Java of its own and returns what it printed, having ended well. */
    static String runJava(Class<?> main, List<String> shellPrefix, String... options) throws Exception {
        String classPath = String.join(
                File.pathSeparator,
                location(PollerProvider.class).toString(),
                location(NioProvider.class).toString(),
                location(main).toString());
        List<String> command = new ArrayList<>(shellPrefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // Without these the JVM opens files of its own now and then, as to see how much memory there is.
        command.addAll(List.of(
                "-XX:+UseSerialGC",
                "-XX:-UseDynamicNumberOfCompilerThreads",
                "-XX:+IgnoreUnrecognizedVMOptions",
                "-XX:-UseContainerSupport"));
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", classPath, main.getName()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(output).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        return output;
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

    static Path location(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    static SocketAddress local(StreamSource stream) throws IOException {
        SocketAddress local = stream.localAddress();
        assertThat(local).isNotNull();
        return local;
    }
}
