package io.thrust.kqueue;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Socket addresses in native memory. On the BSDs and macOS each begins with a byte for its length and one for its family
 * (sys/socket.h of 4.4BSD), on Linux with two bytes for its family. Port and address are in network byte order.
 */
final class Sockaddr {
    static final int INET_SIZE = 16;
    static final int INET6_SIZE = 28;
    static final int PATH = 2;

    private static final int PORT = 2;
    private static final int INET_ADDRESS = 4;
    private static final int INET6_ADDRESS = 8;
    private static final int INET6_SCOPE = 24;

    private final Numbers numbers;

    Sockaddr(Numbers numbers) {
        this.numbers = numbers;
    }

    /** Writes an address of IPv4, or of IPv6, for a socket of IPv6 if asked for; returns its length. */
    int put(ByteBuffer bytes, int at, InetSocketAddress address, boolean asIpv6) {
        InetAddress host = address.getAddress();
        int length = asIpv6 ? INET6_SIZE : INET_SIZE;
        begin(bytes, at, asIpv6 ? numbers.afInet6 : numbers.afInet, length);
        bytes.put(at + PORT, (byte) (address.getPort() >>> 8)).put(at + PORT + 1, (byte) address.getPort());
        byte[] raw = host.getAddress();
        if (!asIpv6) {
            bytes.put(at + INET_ADDRESS, raw);
        } else if (host instanceof Inet6Address ipv6) {
            bytes.put(at + INET6_ADDRESS, raw);
            bytes.putInt(at + INET6_SCOPE, ipv6.getScopeId());
        } else if (!host.isAnyLocalAddress()) {
            // IPv4 within IPv6: ten zeros, then two ones.
            bytes.putShort(at + INET6_ADDRESS + 10, (short) -1).put(at + INET6_ADDRESS + 12, raw);
        }
        return length;
    }

    /** Writes the address of a path, which fits with its terminating zero; returns its length. */
    int put(ByteBuffer bytes, int at, byte[] path) {
        int length = PATH + path.length + 1;
        begin(bytes, at, numbers.afUnix, length);
        bytes.put(at + PATH, path);
        return length;
    }

    private void begin(ByteBuffer bytes, int at, int family, int length) {
        for (int i = 0; i < Math.max(length, INET6_SIZE); i++) {
            bytes.put(at + i, (byte) 0);
        }
        if (numbers.os.hasLengthByte()) {
            bytes.put(at, (byte) length).put(at + 1, (byte) family);
        } else {
            bytes.putShort(at, (short) family);
        }
    }

    private int family(ByteBuffer bytes, int at) {
        return numbers.os.hasLengthByte() ? bytes.get(at + 1) & 0xff : bytes.getShort(at) & 0xffff;
    }

    /** Reads an address that the system wrote; null if it is none of IP. */
    @Nullable InetSocketAddress inet(ByteBuffer bytes, int at, int length) {
        if (length < INET_SIZE) {
            return null;
        }
        int family = family(bytes, at);
        int port = (bytes.get(at + PORT) & 0xff) << 8 | bytes.get(at + PORT + 1) & 0xff;
        if (family == numbers.afInet) {
            return new InetSocketAddress(Addresses.ofBytes(raw(bytes, at + INET_ADDRESS, 4), 0), port);
        }
        if (family != numbers.afInet6 || length < INET6_SIZE) {
            return null;
        }
        int scope = bytes.getInt(at + INET6_SCOPE);
        // One of IPv4 within IPv6 becomes one of IPv4.
        return new InetSocketAddress(Addresses.ofBytes(raw(bytes, at + INET6_ADDRESS, 16), scope), port);
    }

    /** Reads a path that the system wrote; unnamed and abstract addresses, which have none, become the unnamed one. */
    UnixDomainSocketAddress unix(ByteBuffer bytes, int at, int length) {
        int end = at + PATH;
        while (end < at + length && bytes.get(end) != 0) {
            end++;
        }
        int pathLength = end - at - PATH;
        return pathLength <= 0
                ? Addresses.UNNAMED
                : UnixDomainSocketAddress.of(new String(raw(bytes, at + PATH, pathLength), StandardCharsets.UTF_8));
    }

    private static byte[] raw(ByteBuffer bytes, int at, int length) {
        byte[] raw = new byte[length];
        bytes.get(at, raw);
        return raw;
    }
}
