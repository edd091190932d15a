package io.thrust.kqueue;

import io.thrust.poll.Availability;
import io.thrust.poll.ConnectOptions;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.Mode;
import io.thrust.poll.PipePair;
import io.thrust.poll.Poller;
import io.thrust.poll.PollerProvider;
import io.thrust.poll.StreamSource;
import java.net.SocketAddress;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * The provider named {@code kqueue}. This version has no poller yet: {@link #availability} says so on every system and
 * names what to use there instead, and everything that would open something throws {@link
 * UnsupportedOperationException} with the same words. Nothing native is loaded.
 */
public final class KqueueProvider implements PollerProvider {
    private static final Set<Mode> MODES = Collections.unmodifiableSet(EnumSet.allOf(Mode.class));
    private static final Availability AVAILABILITY =
            Availability.unavailable(reason(System.getProperty("os.name", "")), null);

    public KqueueProvider() {}

    /** {@code kqueue}. */
    @Override
    public String name() {
        return "kqueue";
    }

    /** 100, that of a backend over a system's own interface. */
    @Override
    public int priority() {
        return 100;
    }

    /** Not available, on any system. */
    @Override
    public Availability availability() {
        return AVAILABILITY;
    }

    /** All three modes: kqueue has each of them in the kernel. */
    @Override
    public Set<Mode> modes() {
        return MODES;
    }

    @Override
    public Poller openPoller(int batchCapacity) {
        throw unsupported();
    }

    @Override
    public ListenerSource listen(SocketAddress local, ListenOptions options) {
        throw unsupported();
    }

    @Override
    public StreamSource connect(SocketAddress remote, ConnectOptions options) {
        throw unsupported();
    }

    @Override
    public PipePair pipe() {
        throw unsupported();
    }

    @Override
    public String toString() {
        return "KqueueProvider[" + AVAILABILITY + "]";
    }

    static String reason(String system) {
        boolean linux = system.toLowerCase(Locale.ROOT).startsWith("linux");
        String here = system.isBlank() ? "this system" : system;
        return "this version of thrust-backend-kqueue has no poller yet; on " + here + " use "
                + (linux ? "epoll (thrust-backend-epoll) or nio (thrust-backend-nio)" : "nio (thrust-backend-nio)");
    }

    private static UnsupportedOperationException unsupported() {
        return new UnsupportedOperationException("the poller provider \"kqueue\" is " + AVAILABILITY);
    }
}
