package io.thrust.epoll;

import io.netty.channel.unix.DomainSocketAddress;
import io.thrust.poll.spi.SocketError;
import io.thrust.poll.spi.UnixSocketFile;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import org.jspecify.annotations.Nullable;

/** Addresses as java.nio gives them. */
final class Addresses {
    static final UnixDomainSocketAddress UNNAMED = UnixDomainSocketAddress.of("");
    static final InetAddress ANY_IPV6 = ofBytes(new byte[16]);

    /** {@code sun_path} without its terminating zero. */
    private static final int MAX_PATH_BYTES = 107;

    private Addresses() {}

    /** Drops a scope that says nothing: Netty writes {@code %0} behind a link-local address without one. */
    static InetSocketAddress plain(InetSocketAddress address) {
        InetAddress host = address.getAddress();
        if (host instanceof Inet6Address ipv6 && ipv6.isLinkLocalAddress() && ipv6.getScopeId() == 0) {
            return new InetSocketAddress(ofBytes(ipv6.getAddress()), address.getPort());
        }
        return address;
    }

    private static InetAddress ofBytes(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(bytes.length + " bytes are no address", e);
        }
    }

    /** Unnamed and abstract addresses, which have no path, become the unnamed one. */
    static UnixDomainSocketAddress unix(@Nullable DomainSocketAddress address) {
        String path = address == null ? "" : address.path();
        return path.isEmpty() || path.charAt(0) == 0 ? UNNAMED : UnixDomainSocketAddress.of(path);
    }

    /** The address as Netty takes it; checked, because the system would be given a longer path cut. */
    static DomainSocketAddress checked(UnixDomainSocketAddress address, String operation) throws SocketException {
        UnixSocketFile.pathBytes(address, MAX_PATH_BYTES, operation);
        return new DomainSocketAddress(address.getPath().toString());
    }

    /** As {@link #checked}, to bind to: nothing may exist there, for the native bind would delete it. */
    static DomainSocketAddress free(UnixDomainSocketAddress address, String operation) throws SocketException {
        DomainSocketAddress checked = checked(address, operation);
        if (Files.exists(address.getPath(), LinkOption.NOFOLLOW_LINKS)) {
            throw SocketError.ADDRESS_IN_USE.exception(operation);
        }
        return checked;
    }
}
