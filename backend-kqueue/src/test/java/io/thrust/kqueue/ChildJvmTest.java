package io.thrust.kqueue;

import static org.assertj.core.api.Assertions.assertThat;

import io.thrust.poll.ConnectOptions;
import io.thrust.poll.Interest;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.Mode;
import io.thrust.poll.PipePair;
import io.thrust.poll.Poller;
import io.thrust.poll.PollerProvider;
import io.thrust.poll.Pollers;
import io.thrust.poll.Source;
import io.thrust.poll.StreamSource;
import io.thrust.poll.TooManyOpenFilesException;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.UnsupportedAddressTypeException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What depends on limits and properties that a JVM has from its start. */
@Timeout(120)
class ChildJvmTest {

    /** The JVM opens files of its own now and then, as to see how much memory there is; not with these options. */
    private static final String[] OPENS_NOTHING = {
        "-XX:+UseSerialGC",
        "-XX:-UseDynamicNumberOfCompilerThreads",
        "-XX:+IgnoreUnrecognizedVMOptions",
        "-XX:-UseContainerSupport"
    };

    @Test
    void withoutDescriptorsEveryOpenSaysSoLeaksNothingAndRecovers() throws Exception {
        assertThat(run("ulimit -n 60 && ", OutOfDescriptors.class, OPENS_NOTHING))
                .isEqualTo("as it should be\n");
    }

    @Test
    void withIpv4PreferredEverythingIsIpv4() throws Exception {
        assertThat(run("", PreferIpv4.class, "-Djava.net.preferIPv4Stack=true")).isEqualTo("as it should be\n");
    }

    @Test
    void childProcessesInheritNothing() throws Exception {
        PipePair pipe = Net.provider().pipe();
        try (Net.Pair pair = Net.pair();
                Poller poller = Net.provider().openPoller(1)) {
            assertThat(poller.isOpen() && pair.client().isOpen()).isTrue();
            Process ls = new ProcessBuilder("ls", "/proc/self/fd").start();
            ls.getOutputStream().close();
            String inherited = new String(ls.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            ls.getInputStream().close();
            ls.getErrorStream().close();
            // The three standard ones, and the one with which ls reads the directory.
            assertThat(inherited).isEqualTo("0\n1\n2\n3\n");
        } finally {
            pipe.reader().close();
            pipe.writer().close();
        }
    }

    @Test
    void systemPropertiesChooseLibraryAndLayoutForTheWholeJvm() throws Exception {
        for (int layout : Fixture.LAYOUTS) {
            String library = "-D" + KqueueSupport.LIBRARY + "=" + Fixture.library(layout);
            String name = "-D" + KqueueSupport.LAYOUT + "=" + Net.layoutName(layout);
            assertThat(run("", EchoByName.class, library, name)).isEqualTo("echo over kqueue\n");
        }
    }

    @Test
    void whereTheNativeLibraryCannotBeUnpackedTheReasonSaysSo(@TempDir Path directory) throws Exception {
        String missing = directory.resolve("missing").toString();
        String home = "-Duser.home=" + missing;
        String output = run("", TellAvailability.class, "-Djava.io.tmpdir=" + missing, "-Duser.dir=" + missing, home);
        assertThat(output).contains("not available: the native calls for layout freebsd11");
        assertThat(output).contains("IOException");
    }

    @Test
    void withoutTheJarOfNativeLibrariesTheReasonSaysSo() throws Exception {
        String classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("-native"))
                .collect(Collectors.joining(File.pathSeparator));
        // A system may have a libjffi of its own, of another version.
        String nowhere = "-Djava.library.path=/nowhere";
        assertThat(run("", TellAvailability.class, nowhere, "-cp", classPath))
                .startsWith("not available: the native calls for layout freebsd11")
                .contains("jffi");
    }

    @Test
    void aWrongLayoutIsRefused() throws Exception {
        assertThat(run("", TellAvailability.class, "-D" + KqueueSupport.LAYOUT + "=freebsd12"))
                .contains("kevent does not answer as layout freebsd12 (64 bytes) wants it");
        assertThat(run("", TellAvailability.class, "-D" + KqueueSupport.LAYOUT + "=netbsd40"))
                .contains("__kevent50");
        assertThat(run("", TellAvailability.class, "-D" + KqueueSupport.LAYOUT + "=bsd"))
                .contains("the layout is \"bsd\", but must be one of [darwin, ");
    }

    private static String run(String shellPrefix, Class<?> main, String... options) throws Exception {
        List<String> java = new ArrayList<>();
        java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (Runtime.version().feature() >= 22) {
            java.add("--enable-native-access=ALL-UNNAMED");
        }
        java.add("-D" + KqueueSupport.LIBRARY + "=" + Fixture.library(32));
        java.addAll(List.of(options));
        if (!java.contains("-cp")) {
            java.addAll(List.of("-cp", System.getProperty("java.class.path")));
        }
        java.add(main.getName());
        List<String> command = new ArrayList<>(List.of("sh", "-c", shellPrefix + "exec \"$@\"", "sh"));
        command.addAll(java);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return output;
        } finally {
            process.getOutputStream().close();
            process.destroyForcibly();
        }
    }

    private static void require(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError(what);
        }
    }

    /** Takes every descriptor, then opens each kind of thing with 0, 1, 2, ... descriptors left. */
    static final class OutOfDescriptors {
        private interface Open {
            AutoCloseable open() throws Exception;
        }

        public static void main(String[] args) throws Exception {
            KqueueProvider provider = new KqueueProvider();
            ListenerSource listener = provider.listen(Net.loopback(), ListenOptions.DEFAULT);
            // Loads classes and libraries while that is possible.
            provider.openPoller(1).close();
            Net.pair().close();
            PipePair loaded = provider.pipe();
            loaded.reader().close();
            loaded.writer().close();
            Net.openDescriptors();
            provoke(() -> provider.listen((InetSocketAddress) listener.localAddress(), ListenOptions.DEFAULT));

            Deque<Closeable> hogs = new ArrayDeque<>();
            fill(provider, hogs);
            check("open a kqueue poller", 4, hogs, () -> provider.openPoller(64));
            check("open a pipe", 2, hogs, () -> {
                PipePair pipe = provider.pipe();
                return () -> {
                    pipe.reader().close();
                    pipe.writer().close();
                };
            });
            check("listen on 127.0.0.1:0", 1, hogs, () -> provider.listen(Net.loopback(), ListenOptions.DEFAULT));
            check("connect to ", 1, hogs, () -> provider.connect(listener.localAddress(), ConnectOptions.DEFAULT));

            hogs.pop().close();
            StreamSource waiting = provider.connect(listener.localAddress(), ConnectOptions.DEFAULT);
            check("accept on tcp listener 127.0.0.1:", 1, hogs, () -> {
                StreamSource accepted = listener.accept();
                while (accepted == null) {
                    accepted = listener.accept();
                }
                return accepted;
            });
            require(waiting.finishConnect(), "the connection stayed in the queue");
            System.out.println("as it should be");
        }

        private static void provoke(Open open) throws Exception {
            try {
                open.open().close();
            } catch (IOException expected) {
                require(expected.getMessage() != null, "a message");
            }
        }

        private static void fill(PollerProvider provider, Deque<Closeable> hogs) throws IOException {
            ListenOptions options = ListenOptions.DEFAULT;
            try {
                while (true) {
                    Source hog = provider.listen(Net.loopback(), options);
                    hogs.push(hog);
                }
            } catch (TooManyOpenFilesException full) {
                require(hogs.size() > 10, "some were left");
            }
        }

        /** Fails with fewer than {@code needed} descriptors left and works with as many; afterwards none are lost. */
        private static void check(String operation, int needed, Deque<Closeable> hogs, Open open) throws Exception {
            int freed = 0;
            for (; freed < needed; freed++) {
                for (int attempt = 0; attempt < 3; attempt++) {
                    try {
                        open.open();
                        throw new AssertionError(operation + " worked with " + freed + " descriptors left");
                    } catch (TooManyOpenFilesException e) {
                        require(e.getMessage().startsWith(operation), e.getMessage());
                    }
                }
                hogs.pop().close();
            }
            open.open().close();
            for (; freed > 0; freed--) {
                hogs.push(new KqueueProvider().listen(Net.loopback(), ListenOptions.DEFAULT));
            }
        }
    }

    /** Sockets of IPv4 only. */
    static final class PreferIpv4 {
        public static void main(String[] args) throws Exception {
            KqueueProvider provider = new KqueueProvider();
            try (ListenerSource listener = provider.listen(new InetSocketAddress(0), ListenOptions.DEFAULT)) {
                InetSocketAddress bound = (InetSocketAddress) listener.localAddress();
                require(bound.getAddress().getHostAddress().equals("0.0.0.0"), bound.toString());
                InetSocketAddress target = new InetSocketAddress(InetAddress.getByName("127.0.0.1"), bound.getPort());
                try (StreamSource client = Net.connect(target);
                        StreamSource server = Net.accept(listener);
                        Poller poller = provider.openPoller(1)) {
                    require(server.remoteAddress().equals(client.localAddress()), server.toString());
                    require(poller.poll(0) == 0, "nothing is registered");
                }
            }
            InetSocketAddress ipv6 = new InetSocketAddress(InetAddress.getByAddress(new byte[16]), 0);
            try {
                provider.listen(ipv6, ListenOptions.DEFAULT);
                throw new AssertionError("IPv6 is off");
            } catch (UnsupportedAddressTypeException expected) {
                System.out.println("as it should be");
            }
        }
    }

    /** As an application would: by name, knowing nothing of this package. */
    static final class EchoByName {
        public static void main(String[] args) throws Exception {
            PollerProvider provider = Pollers.select("kqueue");
            try (ListenerSource listener = provider.listen(Net.loopback(), ListenOptions.DEFAULT);
                    StreamSource client = Net.connect(listener.localAddress());
                    StreamSource server = Net.accept(listener);
                    Poller poller = provider.openPoller(4)) {
                poller.register(server, 1, Interest.READ, Mode.EDGE);
                Net.write(client, "echo");
                require(poller.poll(Net.PATIENCE) == 1 && poller.events().isReadable(0), "readable");
                ByteBuffer buffer = ByteBuffer.allocate(16);
                require(server.read(buffer) == 4, "four bytes");
                server.write(buffer.flip());
                server.shutdownOutput();
                System.out.println(
                        Net.readFully(client) + " over " + poller.provider().name());
            }
        }
    }

    /** What the provider says of itself, and that saying it leaves no descriptor open. */
    static final class TellAvailability {
        public static void main(String[] args) {
            System.out.println(new KqueueProvider().availability());
        }
    }
}
