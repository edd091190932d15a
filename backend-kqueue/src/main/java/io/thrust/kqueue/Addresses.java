package io.thrust.kqueue;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;

/** Addresses, and their text in messages. */
final class Addresses {
    static final UnixDomainSocketAddress UNNAMED = UnixDomainSocketAddress.of("");

    private Addresses() {}

    /** An address of 4 or 16 bytes; a scope only if it says something. */
    static InetAddress ofBytes(byte[] bytes, int scope) {
        try {
            return bytes.length == 16 && scope != 0
                    ? Inet6Address.getByAddress(null, bytes, scope)
                    : InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(bytes.length + " bytes are no address", e);
        }
    }

    static boolean isIpv6(InetSocketAddress address) {
        return address.getAddress() instanceof Inet6Address;
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
