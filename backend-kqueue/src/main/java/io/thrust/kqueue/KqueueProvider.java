package io.thrust.kqueue;

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
import java.util.function.Supplier;

/**
 * The provider {@code kqueue}: {@code kqueue} and {@code kevent} of macOS and the BSDs, called through jnr-ffi, with
 * non-blocking sockets of its own. Priority 100, all modes.
 *
 * <p>It opens TCP sockets ({@link java.net.InetSocketAddress}) and Unix domain stream sockets ({@link
 * java.net.UnixDomainSocketAddress}), and watches descriptors of the user's own ({@link #adopt(int)}).
 *
 * <table>
 * <caption>Where it is available, on 64-bit machines</caption>
 * <tr><th>system</th><th>{@code thrust.kqueue.layout} by default</th></tr>
 * <tr><td>macOS</td><td>{@code darwin}</td></tr>
 * <tr><td>FreeBSD up to 11, from 12</td><td>{@code freebsd11}, {@code freebsd12}</td></tr>
 * <tr><td>NetBSD up to 10, from 11</td><td>{@code netbsd40}, {@code netbsd72}</td></tr>
 * <tr><td>OpenBSD</td><td>{@code openbsd}</td></tr>
 * <tr><td>DragonFly</td><td>{@code dragonfly}</td></tr>
 * <tr><td>Linux, with {@code thrust.kqueue.library}</td><td>{@code freebsd11}</td></tr>
 * </table>
 *
 * <ul>
 *   <li>{@systemProperty thrust.kqueue.library} names a library (a path) in which every system call of this backend is
 *       looked up before the C library. With libkqueue the backend runs on Linux, within its limits: it forgets events
 *       that do not fit, so open pollers with at least twice as many places as sources; and once a write was reported,
 *       it tells unread data, or a reset, again and again, not once.
 *   <li>{@systemProperty thrust.kqueue.layout} chooses how that library, or the system, lays out {@code struct kevent}.
 *   <li>A listener on the any-address takes IPv4 and IPv6 connections, except on OpenBSD, on a machine without IPv6 and if
 *       the system property {@code java.net.preferIPv4Stack} is true.
 *   <li>Listening on a Unix domain path refuses a path at which anything exists; the socket file is deleted when the
 *       listener is closed.
 *   <li>Nothing is allocated per poll, event, read and write. A direct buffer of more than two kilobytes is handed to the
 *       kernel as it is; smaller ones are copied, which is faster than to find out where they are.
 *   <li>Writing to a socket whose peer is gone raises no SIGPIPE. Writing to such a pipe does, and the JVM ignores it.
 *   <li>Descriptors are close-on-exec: from the start, on macOS a moment after they were opened.
 * </ul>
 */
public final class KqueueProvider implements PollerProvider {
    private static final Set<Mode> MODES = Collections.unmodifiableSet(EnumSet.allOf(Mode.class));

    private final Supplier<KqueueSupport> support;

    /** Does nothing costly and loads nothing native. */
    public KqueueProvider() {
        this(KqueueSupport::ofThisJvm);
    }

    /** Over a library or a fake of its own; {@code support} always gives the same answer. */
    KqueueProvider(Supplier<KqueueSupport> support) {
        this.support = support;
    }

    @Override
    public String name() {
        return "kqueue";
    }

    @Override
    public int priority() {
        return 100;
    }

    @Override
    public Availability availability() {
        return support.get().availability();
    }

    @Override
    public Set<Mode> modes() {
        return MODES;
    }

    @Override
    public Poller openPoller(int batchCapacity) throws IOException {
        return new KqueuePoller(this, kernel(), batchCapacity);
    }

    @Override
    public ListenerSource listen(SocketAddress local, ListenOptions options) throws IOException {
        Objects.requireNonNull(local, "local");
        Objects.requireNonNull(options, "options");
        return new Sockets(this, kernel()).listen(local, options);
    }

    @Override
    public StreamSource connect(SocketAddress remote, ConnectOptions options) throws IOException {
        Objects.requireNonNull(remote, "remote");
        Objects.requireNonNull(options, "options");
        return new Sockets(this, kernel()).connect(remote, options);
    }

    @Override
    public PipePair pipe() throws IOException {
        return Pipes.open(this, kernel());
    }

    /** As {@link #adopt(int, Interest)} with both directions. */
    public Source adopt(int fd) {
        return adopt(fd, Interest.READ_WRITE);
    }

    /**
     * Makes a source of a file descriptor of the user's own: a socket, pipe, terminal or other descriptor whose readiness
     * kqueue's filters for reading and writing can watch. The source reports readiness only; reading and writing stay with
     * the user, who makes the descriptor non-blocking if needed.
     *
     * <p>The descriptor is borrowed. Closing the source deregisters it and leaves the descriptor open. The user closes
     * the source first and the descriptor afterwards: in the other order the number may belong to another file by then.
     *
     * @param fd an open file descriptor, 0 or more. That it is open is not checked here but by {@link Poller#register},
     *     which throws an {@link IOException} for one that is not, or that kqueue cannot watch (on macOS some terminals
     *     and devices)
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
        return new AdoptedSource(this, kernel(), fd, directions);
    }

    private Kernel kernel() {
        KqueueSupport present = support.get();
        Kernel kernel = present.kernel();
        if (kernel == null) {
            Availability availability = present.availability();
            throw new UnsupportedOperationException(
                    "provider \"kqueue\" is not available: " + availability.reason(), availability.cause());
        }
        return kernel;
    }

    @Override
    public String toString() {
        return "provider kqueue";
    }
}
