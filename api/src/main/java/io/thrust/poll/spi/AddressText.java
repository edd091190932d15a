package io.thrust.poll.spi;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;

/** Addresses in messages, alike in all backends. */
public final class AddressText {
    private AddressText() {}

    /** {@code host:port} or {@code [host]:port}, with the host as digits; a name only where it was not resolved. */
    public static String of(InetSocketAddress address) {
        InetAddress host = address.getAddress();
        String digits = host == null ? address.getHostString() : host.getHostAddress();
        return host instanceof Inet6Address
                ? "[" + digits + "]:" + address.getPort()
                : digits + ":" + address.getPort();
    }

    /** The path, or a word for there being none. */
    public static String of(UnixDomainSocketAddress address) {
        String path = address.getPath().toString();
        return path.isEmpty() ? "(unnamed)" : path;
    }
}
