package io.thrust.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.thrust.poll.ConnectOptions;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.PipePair;
import io.thrust.poll.Poller;
import io.thrust.poll.PollerProvider;
import io.thrust.poll.StreamSource;
import io.thrust.poll.TooManyOpenFilesException;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.UnsupportedAddressTypeException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What depends on limits and properties that a JVM has from its start. */
@Timeout(120)
public abstract class AbstractChildJvmTest extends AbstractBackendTest {

    /** A JVM in which the provider, made anew by its class, is the one under test. */
    protected ChildJvm childJvm() {
        return new ChildJvm();
    }

    /** How the message begins of an exception that says that a poller cannot be opened. */
    protected abstract String openingAPoller();

    /** How many descriptors a poller takes. */
    protected int descriptorsOfAPoller() {
        return 4;
    }

    /** What an IPv6 address is refused with where there is IPv4 only. */
    protected Class<? extends Exception> refusalOfIpv6() {
        return UnsupportedAddressTypeException.class;
    }

    @Test
    void withoutDescriptorsEveryOpenSaysSoLeaksNothingAndRecovers() throws Exception {
        String output = childJvm()
                .withDescriptors(60)
                .run(OutOfDescriptors.class, providerClass(), openingAPoller(), "" + descriptorsOfAPoller());
        assertThat(output).isEqualTo("as it should be\n");
    }

    @Test
    void withIpv4PreferredEverythingIsIpv4() throws Exception {
        ChildJvm child = childJvm().withOptions(List.of("-Djava.net.preferIPv4Stack=true"));
        assertThat(child.run(PreferIpv4.class, providerClass(), refusalOfIpv6().getName()))
                .isEqualTo("as it should be\n");
    }

    @Test
    void childProcessesInheritNothing() throws Exception {
        PipePair pipe = provider().pipe();
        try (Net.Pair pair = net().pair();
                Poller poller = provider().openPoller(1)) {
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

    private String providerClass() {
        return provider().getClass().getName();
    }

    private static PollerProvider newProvider(String className) throws ReflectiveOperationException {
        return (PollerProvider) Class.forName(className).getConstructor().newInstance();
    }

    private static void require(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError(what);
        }
    }

    /** Takes every descriptor, then opens each kind of thing with 0, 1, 2, ... descriptors left. */
    static final class OutOfDescriptors {
        private final Deque<Closeable> hogs = new ArrayDeque<>();
        private final PollerProvider provider;

        private interface Open {
            AutoCloseable open() throws Exception;
        }

        private OutOfDescriptors(PollerProvider provider) {
            this.provider = provider;
        }

        public static void main(String[] args) throws Exception {
            new OutOfDescriptors(newProvider(args[0])).run(args[1], Integer.parseInt(args[2]));
            System.out.println("as it should be");
        }

        private void run(String openingAPoller, int descriptorsOfAPoller) throws Exception {
            ListenerSource listener = listen();
            // Loads classes and libraries while that is possible.
            provider.openPoller(1).close();
            new Net(provider).pair().close();
            PipePair loaded = provider.pipe();
            loaded.reader().close();
            loaded.writer().close();
            Net.openDescriptors();
            provoke(() -> provider.listen((InetSocketAddress) listener.localAddress(), ListenOptions.DEFAULT));

            fill();
            check(openingAPoller, descriptorsOfAPoller, () -> provider.openPoller(64));
            check("open a pipe", 2, () -> {
                PipePair pipe = provider.pipe();
                return () -> {
                    pipe.reader().close();
                    pipe.writer().close();
                };
            });
            check("listen on 127.0.0.1:0", 1, this::listen);
            check("connect to ", 1, () -> provider.connect(listener.localAddress(), ConnectOptions.DEFAULT));

            hogs.pop().close();
            StreamSource waiting = provider.connect(listener.localAddress(), ConnectOptions.DEFAULT);
            check("accept on tcp listener 127.0.0.1:", 1, () -> {
                StreamSource accepted = listener.accept();
                while (accepted == null) {
                    accepted = listener.accept();
                }
                return accepted;
            });
            require(waiting.finishConnect(), "the connection stayed in the queue");
        }

        private ListenerSource listen() throws IOException {
            return provider.listen(Net.loopback(), ListenOptions.DEFAULT);
        }

        private static void provoke(Open open) throws Exception {
            try {
                open.open().close();
            } catch (IOException expected) {
                require(expected.getMessage() != null, "a message");
            }
        }

        private void fill() throws IOException {
            try {
                while (true) {
                    hogs.push(listen());
                }
            } catch (TooManyOpenFilesException full) {
                require(hogs.size() > 10, "some were left");
            }
        }

        /** Fails with fewer than {@code needed} descriptors left and works with as many; afterwards none are lost. */
        private void check(String operation, int needed, Open open) throws Exception {
            int freed = 0;
            for (; freed < needed; freed++) {
                for (int attempt = 0; attempt < 3; attempt++) {
                    try {
                        open.open();
                        throw new AssertionError(operation + " worked with " + freed + " descriptors left");
                    } catch (TooManyOpenFilesException e) {
                        String message = String.valueOf(e.getMessage());
                        require(message.startsWith(operation), message);
                    }
                }
                hogs.pop().close();
            }
            open.open().close();
            for (; freed > 0; freed--) {
                hogs.push(listen());
            }
        }
    }

    /** Sockets of IPv4 only. */
    static final class PreferIpv4 {
        public static void main(String[] args) throws Exception {
            PollerProvider provider = newProvider(args[0]);
            Net net = new Net(provider);
            try (ListenerSource listener = provider.listen(new InetSocketAddress(0), ListenOptions.DEFAULT)) {
                InetSocketAddress bound = (InetSocketAddress) listener.localAddress();
                require(bound.getAddress().getHostAddress().equals("0.0.0.0"), bound.toString());
                InetSocketAddress target = new InetSocketAddress(InetAddress.getByName("127.0.0.1"), bound.getPort());
                try (StreamSource client = net.connect(target);
                        StreamSource server = net.accept(listener);
                        Poller poller = provider.openPoller(1)) {
                    require(server.remoteAddress().equals(client.localAddress()), server.toString());
                    require(poller.poll(0) == 0, "nothing is registered");
                }
            }
            InetSocketAddress ipv6 = new InetSocketAddress(InetAddress.getByAddress(new byte[16]), 0);
            try {
                provider.listen(ipv6, ListenOptions.DEFAULT);
                throw new AssertionError("IPv6 is off");
            } catch (IOException | UnsupportedAddressTypeException refusal) {
                require(refusal.getClass().getName().equals(args[1]), refusal.toString());
                System.out.println("as it should be");
            }
        }
    }
}
