package io.thrust.epoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.thrust.poll.ConnectOptions;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.PipePair;
import io.thrust.poll.Poller;
import io.thrust.poll.PollerProvider;
import io.thrust.poll.Source;
import io.thrust.poll.StreamSource;
import io.thrust.poll.TooManyOpenFilesException;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.UnsupportedAddressTypeException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What depends on limits and properties that a JVM has from its start. */
@EnabledOnOs(OS.LINUX)
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
        PipePair pipe = Fixture.PROVIDER.pipe();
        try (Fixture.Pair pair = Fixture.pair();
                Poller poller = Fixture.PROVIDER.openPoller(1)) {
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

    private static String run(String shellPrefix, Class<?> main, String... options) throws Exception {
        List<String> java = new ArrayList<>();
        java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (Runtime.version().feature() >= 22) {
            java.add("--enable-native-access=ALL-UNNAMED");
        }
        java.addAll(List.of(options));
        java.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
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
            EpollProvider provider = new EpollProvider();
            ListenerSource listener = provider.listen(Fixture.loopback(), ListenOptions.DEFAULT);
            // Loads classes and libraries while that is possible.
            provider.openPoller(1).close();
            Fixture.pair().close();
            PipePair loaded = provider.pipe();
            loaded.reader().close();
            loaded.writer().close();
            Fixture.openDescriptors();
            provoke(() -> provider.listen((InetSocketAddress) listener.localAddress(), ListenOptions.DEFAULT));

            Deque<Closeable> hogs = new ArrayDeque<>();
            fill(provider, hogs);
            check("open an epoll poller", 4, hogs, () -> provider.openPoller(64));
            check("open a pipe", 2, hogs, () -> {
                PipePair pipe = provider.pipe();
                return () -> {
                    pipe.reader().close();
                    pipe.writer().close();
                };
            });
            check("listen on 127.0.0.1:0", 1, hogs, () -> provider.listen(Fixture.loopback(), ListenOptions.DEFAULT));
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
                    Source hog = provider.listen(Fixture.loopback(), options);
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
                hogs.push(new EpollProvider().listen(Fixture.loopback(), ListenOptions.DEFAULT));
            }
        }
    }

    /** Sockets of IPv4 only. */
    static final class PreferIpv4 {
        public static void main(String[] args) throws Exception {
            EpollProvider provider = new EpollProvider();
            try (ListenerSource listener = provider.listen(new InetSocketAddress(0), ListenOptions.DEFAULT)) {
                InetSocketAddress bound = (InetSocketAddress) listener.localAddress();
                require(bound.getAddress().getHostAddress().equals("0.0.0.0"), bound.toString());
                InetSocketAddress target = new InetSocketAddress(InetAddress.getByName("127.0.0.1"), bound.getPort());
                try (StreamSource client = Fixture.connect(target);
                        StreamSource server = Fixture.accept(listener);
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
}
