package io.thrust.epoll;

import io.netty.channel.unix.DomainSocketAddress;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** Addresses as java.nio gives them, and their text in messages. */
final class Addresses {
    static final UnixDomainSocketAddress UNNAMED = UnixDomainSocketAddress.of("");
    static final InetAddress ANY_IPV6 = ofBytes(new byte[16]);

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

    /** {@code host:port} or {@code [host]:port}, with the host as digits. */
    static String text(InetSocketAddress address) {
        InetAddress host = address.getAddress();
        String digits = host == null ? address.getHostString() : host.getHostAddress();
        return host instanceof Inet6Address
                ? "[" + digits + "]:" + address.getPort()
                : digits + ":" + address.getPort();
    }

    /** The path, or a word for there being none. */
    static String text(UnixDomainSocketAddress address) {
        String path = address.getPath().toString();
        return path.isEmpty() ? "(unnamed)" : path;
    }
}
