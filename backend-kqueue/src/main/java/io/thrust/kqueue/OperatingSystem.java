package io.thrust.kqueue;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The systems whose sockets this backend knows. */
enum OperatingSystem {
    LINUX("Linux", "linux"),
    DARWIN("Mac OS X", "darwin"),
    FREEBSD("FreeBSD", "freebsd"),
    /** Not in jnr-constants, which has the numbers of its nearest relative: what differs is in {@link Numbers}. */
    NETBSD("NetBSD", "openbsd"),
    OPENBSD("OpenBSD", "openbsd"),
    DRAGONFLY("DragonFlyBSD", "dragonflybsd");

    /** How the property {@code os.name} begins. */
    final String osName;
    /** The package of jnr-constants that has its numbers. */
    final String constants;

    OperatingSystem(String osName, String constants) {
        this.osName = osName;
        this.constants = constants;
    }

    /** The system that the property {@code os.name} means, or null. */
    static @Nullable OperatingSystem of(String osName) {
        String lower = osName.toLowerCase(Locale.ROOT);
        if (lower.startsWith("darwin") || lower.startsWith("mac")) {
            return DARWIN;
        }
        if (lower.startsWith("dragonfly")) {
            return DRAGONFLY;
        }
        for (OperatingSystem os : values()) {
            if (lower.startsWith(os.osName.toLowerCase(Locale.ROOT))) {
                return os;
            }
        }
        return null;
    }

    /** Whether a socket address begins with its length; else it begins with a family of two bytes. */
    boolean hasLengthByte() {
        return this != LINUX;
    }

    /** Whether non-blocking and close-on-exec can be asked for in {@code socket}, {@code accept4} and {@code pipe2}. */
    boolean opensWithFlags() {
        return this != DARWIN;
    }

    /** Whether a socket of IPv6 can take connections of IPv4 too. */
    boolean hasDualStack() {
        return this != OPENBSD;
    }

    /** The size of {@code sun_path} in bytes. */
    int unixPathBytes() {
        return this == LINUX ? 108 : 104;
    }
}
