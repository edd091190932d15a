package io.thrust.kqueue;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;

/** Addresses as java.nio gives them. */
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
}
