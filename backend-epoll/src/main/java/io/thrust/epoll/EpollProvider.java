package io.thrust.epoll;

import io.thrust.poll.Availability;
import io.thrust.poll.ConnectOptions;
import io.thrust.poll.Interest;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.Mode;
import io.thrust.poll.PipePair;
import io.thrust.poll.Poller;
import io.thrust.poll.PollerProvider;
import io.thrust.poll.Source;
import io.thrust.poll.StreamSource;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * The provider {@code epoll}: Linux epoll through Netty's native transport. Priority 100, all modes.
 *
 * <p>It opens TCP sockets ({@link java.net.InetSocketAddress}) and Unix domain stream sockets ({@link
 * java.net.UnixDomainSocketAddress}), and watches descriptors of the user's own ({@link #adopt(int)}).
 *
 * <ul>
 *   <li>A listener on the any-address takes IPv4 and IPv6 connections, unless the machine has no IPv6 or the
 *       system property {@code java.net.preferIPv4Stack} is true.
 *   <li>Listening on a Unix domain path refuses a path at which anything exists; the socket file is deleted when the
 *       listener is closed. A file that another process creates between the check and the bind is lost: keep sockets in
 *       a directory of your own.
 *   <li>Allocation: a poll allocates nothing, and an event allocates nothing if it is for one direction alone. An event
 *       that combines directions or carries a hang-up may cost one small short-lived object.
 *   <li>Accepted sockets are close-on-exec; the other descriptors are kept out of child processes by {@link Process}
 *       itself, which closes every descriptor in the child.
 * </ul>
 */
public final class EpollProvider implements PollerProvider {
    private static final Set<Mode> MODES = Collections.unmodifiableSet(EnumSet.allOf(Mode.class));

    static {
        // Loaded now: it is needed when there is no descriptor left to load it with.
        Failures.ofErrno("load", Failures.EMFILE);
    }

    /** Does nothing costly and loads nothing native. */
    public EpollProvider() {}

    @Override
    public String name() {
        return "epoll";
    }

    @Override
    public int priority() {
        return 100;
    }

    @Override
    public Availability availability() {
        return EpollAvailability.get();
    }

    @Override
    public Set<Mode> modes() {
        return MODES;
    }

    @Override
    public Poller openPoller(int batchCapacity) throws IOException {
        requireAvailable();
        return new EpollPoller(this, batchCapacity);
    }

    @Override
    public ListenerSource listen(SocketAddress local, ListenOptions options) throws IOException {
        Objects.requireNonNull(local, "local");
        Objects.requireNonNull(options, "options");
        requireAvailable();
        return Sockets.listen(this, local, options);
    }

    @Override
    public StreamSource connect(SocketAddress remote, ConnectOptions options) throws IOException {
        Objects.requireNonNull(remote, "remote");
        Objects.requireNonNull(options, "options");
        requireAvailable();
        return Sockets.connect(this, remote, options);
    }

    @Override
    public PipePair pipe() throws IOException {
        requireAvailable();
        return Pipes.open(this);
    }

    /** As {@link #adopt(int, Interest)} with both directions. */
    public Source adopt(int fd) {
        return adopt(fd, Interest.READ_WRITE);
    }

    /**
     * Makes a source of a file descriptor of the user's own: a socket, pipe, terminal, eventfd, timerfd, inotify or other
     * descriptor that epoll can watch. The source reports readiness only; reading and writing stay with the user, who
     * makes the descriptor non-blocking if needed.
     *
     * <p>The descriptor is borrowed. Closing the source deregisters it and leaves the descriptor open. The user closes
     * the source first and the descriptor afterwards: in the other order the number may belong to another file by then.
     *
     * @param fd an open file descriptor, 0 or more. That it is open is not checked here but by {@link Poller#register},
     *     which throws an {@link IOException} for one that is not, or that epoll cannot watch (a regular file)
     * @param directions what may be watched, at least one direction
     * @throws IllegalArgumentException if {@code fd} is negative or {@code directions} is {@link Interest#NONE}
     */
    public Source adopt(int fd, Interest directions) {
        if (fd < 0) {
            throw new IllegalArgumentException("fd is " + fd + ", but must be 0 or more");
        }
        if (Objects.requireNonNull(directions, "directions") == Interest.NONE) {
            throw new IllegalArgumentException("directions is NONE, but must name at least one");
        }
        requireAvailable();
        return new AdoptedSource(this, fd, directions);
    }

    private void requireAvailable() {
        Availability availability = availability();
        if (!availability.isAvailable()) {
            throw new UnsupportedOperationException(
                    "provider \"epoll\" is not available: " + availability.reason(), availability.cause());
        }
    }

    @Override
    public String toString() {
        return "provider epoll";
    }
}
