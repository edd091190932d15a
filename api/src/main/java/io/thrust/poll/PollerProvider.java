package io.thrust.poll;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.Set;

/**
 * A readiness backend: opens pollers, and the sources that they can watch. An implementation has a public constructor
 * without parameters that does nothing costly and cannot fail, and is registered as a service (both in {@code
 * META-INF/services/io.thrust.poll.PollerProvider} and, in a named module, by {@code provides}).
 *
 * <p>All methods may be called from any thread. Apart from {@link #name}, {@link #priority}, {@link #modes} and {@link
 * #availability} they throw an {@link UnsupportedOperationException} with the reason where the provider is not available.
 *
 * <p>Failures of the network have the same exception types and wording with every provider: {@link
 * io.thrust.poll.spi.SocketError} lists them.
 */
public interface PollerProvider {

    /**
     * The name by which {@code -Dthrust.poller} chooses this provider: lower-case letters, digits and hyphens, for
     * example {@code epoll}.
     */
    String name();

    /**
     * Which provider is chosen when none is named: the available one with the highest number; among equals the first by
     * name. Backends over one system's own interface use 100, the portable one of the JDK 0.
     */
    int priority();

    /**
     * Whether this provider works on this machine. Nothing native is loaded where it cannot work, everything opened for
     * the check is closed again, and the answer, its cause included, stays the same for the life of the class. Not asked
     * where another provider is ordered by its name, and gets the order.
     */
    Availability availability();

    /** The modes that pollers of this provider support, at least {@link Mode#EDGE}. The set never changes. */
    Set<Mode> modes();

    /**
     * Opens a poller.
     *
     * @param batchCapacity the most entries that one poll returns, at least 1
     * @throws IllegalArgumentException if the capacity is below 1
     * @throws TooManyOpenFilesException if no file descriptor is left; nothing leaks
     */
    Poller openPoller(int batchCapacity) throws IOException;

    /**
     * Opens a listening socket.
     *
     * @param local where to listen; port 0 takes a free one
     * @throws java.net.BindException if the address is in use or not one of this machine; the message names it
     * @throws java.nio.channels.UnresolvedAddressException if it is an unresolved name; nothing is opened
     * @throws java.nio.channels.UnsupportedAddressTypeException if this provider does not know this type of address
     */
    ListenerSource listen(SocketAddress local, ListenOptions options) throws IOException;

    /**
     * Starts to connect, without waiting for the outcome: register the stream for {@link Interest#WRITE} (or {@link
     * Interest#READ_WRITE}) and ask {@link StreamSource#finishConnect} when it is writable.
     *
     * @throws java.net.ConnectException if it was refused at once; the message names the remote address
     * @throws java.net.BindException if the local address that the options ask for is in use or not one of this machine;
     *     the message names it
     * @throws java.nio.channels.UnresolvedAddressException if it is an unresolved name; nothing is opened
     * @throws java.nio.channels.UnsupportedAddressTypeException if this provider does not know this type of address
     */
    StreamSource connect(SocketAddress remote, ConnectOptions options) throws IOException;

    /** Opens a pipe. */
    PipePair pipe() throws IOException;
}
