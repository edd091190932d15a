package io.thrust.nio;

import io.thrust.poll.spi.AddressText;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Checks addresses and puts them into words. */
final class Addresses {
    private Addresses() {}

    /** Returns whether it is a Unix domain address; refuses what is neither that nor a resolved internet address. */
    static boolean isUnix(SocketAddress address, String name) {
        Objects.requireNonNull(address, name);
        if (address instanceof UnixDomainSocketAddress) {
            return true;
        }
        if (!(address instanceof InetSocketAddress inet)) {
            throw new UnsupportedAddressTypeException();
        }
        if (inet.isUnresolved()) {
            throw new UnresolvedAddressException();
        }
        return false;
    }

    /** As {@link AddressText} has it; the empty string for null. */
    static String text(@Nullable SocketAddress address) {
        if (address == null) {
            return "";
        }
        if (address instanceof InetSocketAddress inet) {
            return AddressText.of(inet);
        }
        return address instanceof UnixDomainSocketAddress unix ? AddressText.of(unix) : address.toString();
    }
}
