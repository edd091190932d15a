package io.thrust.tck.netty;

import io.netty.channel.kqueue.KQueue;
import io.thrust.poll.Availability;
import io.thrust.poll.ConnectOptions;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.Mode;
import io.thrust.poll.PipePair;
import io.thrust.poll.Poller;
import io.thrust.poll.PollerProvider;
import io.thrust.poll.StreamSource;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

/** The provider {@code netty-kqueue}, of which each test that wants it makes an instance: it is no service. */
public final class NettyKqueueProvider implements PollerProvider {
    private static final Set<Mode> MODES = Collections.unmodifiableSet(EnumSet.allOf(Mode.class));

    private final String osName;

    public NettyKqueueProvider() {
        this(System.getProperty("os.name", ""));
    }

    NettyKqueueProvider(String osName) {
        this.osName = osName;
    }

    @Override
    public String name() {
        return "netty-kqueue";
    }

    @Override
    public int priority() {
        return 1;
    }

    /** Touches no class of Netty's unless the system is one for which there is a native library. */
    @Override
    public Availability availability() {
        if (!osName.toLowerCase(Locale.ROOT).startsWith("mac")) {
            return Availability.unavailable(
                    "Netty's native library for kqueue is made for macOS, and this is " + osName, null);
        }
        return Loaded.ANSWER;
    }

    @Override
    public Set<Mode> modes() {
        return MODES;
    }

    @Override
    public Poller openPoller(int batchCapacity) throws IOException {
        requireAvailable();
        return new NettyPoller(this, batchCapacity);
    }

    @Override
    public ListenerSource listen(SocketAddress local, ListenOptions options) throws IOException {
        Objects.requireNonNull(local, "local");
        Objects.requireNonNull(options, "options");
        requireAvailable();
        return NettySockets.listen(this, local, options);
    }

    @Override
    public StreamSource connect(SocketAddress remote, ConnectOptions options) throws IOException {
        Objects.requireNonNull(remote, "remote");
        Objects.requireNonNull(options, "options");
        requireAvailable();
        return NettySockets.connect(this, remote, options);
    }

    @Override
    public PipePair pipe() throws IOException {
        requireAvailable();
        return NettyPipes.open(this);
    }

    private void requireAvailable() {
        Availability availability = availability();
        if (!availability.isAvailable()) {
            throw new UnsupportedOperationException(
                    "provider \"netty-kqueue\" is not available: " + availability.reason(), availability.cause());
        }
    }

    @Override
    public String toString() {
        return "provider netty-kqueue";
    }

    /** Apart, so that {@link KQueue} is not initialised before it was decided to. */
    private static final class Loaded {
        static final Availability ANSWER = ask();

        private static Availability ask() {
            try {
                Throwable cause = KQueue.unavailabilityCause();
                if (cause != null) {
                    return Availability.unavailable(
                            "Netty's native library for kqueue cannot be used: " + cause, cause);
                }
                // Loaded now: it is needed when there is no descriptor left to load it with.
                NettyErrors.of("load", NettyErrors.number("EMFILE"));
                return Availability.available();
            } catch (LinkageError e) {
                return Availability.unavailable("Netty's kqueue classes cannot be initialised: " + e, e);
            }
        }
    }
}
