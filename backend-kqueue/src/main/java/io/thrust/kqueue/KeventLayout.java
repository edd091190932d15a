package io.thrust.kqueue;

import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How one system lays out {@code struct kevent} on 64-bit machines, by which name its {@code kevent} goes, and the
 * numbers of its filters. Sizes and offsets are in bytes. The flags have the same numbers everywhere.
 */
enum KeventLayout {
    /** Apple xnu: bsd/sys/event.h, {@code struct kevent}. */
    DARWIN("darwin", 32, Shape.SHORT_FILTER, "kevent", -1, -2, -10),
    /** OpenBSD: sys/sys/event.h. */
    OPENBSD("openbsd", 32, Shape.SHORT_FILTER, "kevent", -1, -2, -10),
    /** DragonFly: sys/sys/event.h. */
    DRAGONFLY("dragonfly", 32, Shape.SHORT_FILTER, "kevent", -1, -2, -9),
    /** FreeBSD up to 11: sys/sys/event.h; and libkqueue: include/sys/event.h. */
    FREEBSD_11("freebsd11", 32, Shape.SHORT_FILTER, "kevent", -1, -2, -11),
    /** FreeBSD from 12: sys/sys/event.h, with {@code ext[4]} at the end. */
    FREEBSD_12("freebsd12", 64, Shape.SHORT_FILTER, "kevent", -1, -2, -11),
    /** NetBSD up to 10: sys/sys/event.h. The plain name is that of an older one, with a 32-bit {@code time_t}. */
    NETBSD_10("netbsd40", 40, Shape.WIDE_FILTER, "__kevent50", 0, 1, 8),
    /** NetBSD from 11: sys/sys/event.h, with {@code ext[4]} at the end. */
    NETBSD_11("netbsd72", 72, Shape.WIDE_FILTER, "__kevent100", 0, 1, 8);

    static final int EV_ADD = 0x1;
    static final int EV_DELETE = 0x2;
    static final int EV_ENABLE = 0x4;
    static final int EV_CLEAR = 0x20;
    static final int EV_RECEIPT = 0x40;
    static final int EV_DISPATCH = 0x80;
    static final int EV_ERROR = 0x4000;
    static final int EV_EOF = 0x8000;
    static final int NOTE_TRIGGER = 0x0100_0000;

    /** {@code ident} is the first field everywhere, eight bytes long. */
    static final int IDENT = 0;

    /** The value of {@code thrust.kqueue.layout} that chooses it. */
    final String layoutName;

    final int size;
    final Shape shape;
    /** The name under which the C library exports the function. */
    final String function;

    final int evfiltRead;
    final int evfiltWrite;
    final int evfiltUser;

    KeventLayout(
            String layoutName,
            int size,
            Shape shape,
            String function,
            int evfiltRead,
            int evfiltWrite,
            int evfiltUser) {
        this.layoutName = layoutName;
        this.size = size;
        this.shape = shape;
        this.function = function;
        this.evfiltRead = evfiltRead;
        this.evfiltWrite = evfiltWrite;
        this.evfiltUser = evfiltUser;
    }

    /** The fields behind {@code ident}. */
    enum Shape {
        /** {@code short filter; u_short flags; u_int fflags; int64_t data; void *udata}; counts are {@code int}. */
        SHORT_FILTER(false, 8, 10, 12, 16, 24),
        /** {@code uint32_t filter, flags, fflags; int64_t data; void *udata}; counts are {@code size_t}. */
        WIDE_FILTER(true, 8, 12, 16, 24, 32);

        /** Whether filter and flags have four bytes each, and not two; and whether counts are {@code size_t}. */
        final boolean wide;

        final int filter;
        final int flags;
        final int fflags;
        final int data;
        final int udata;

        Shape(boolean wide, int filter, int flags, int fflags, int data, int udata) {
            this.wide = wide;
            this.filter = filter;
            this.flags = flags;
            this.fflags = fflags;
            this.data = data;
            this.udata = udata;
        }
    }

    /** The layout of this name, as {@code thrust.kqueue.layout} gives it. */
    static KeventLayout named(String name) {
        for (KeventLayout layout : values()) {
            if (layout.layoutName.equals(name)) {
                return layout;
            }
        }
        throw new IllegalArgumentException("the layout is \"" + name + "\", but must be one of "
                + Arrays.stream(values()).map(layout -> layout.layoutName).toList());
    }

    /**
     * The layout of a system.
     *
     * @param osVersion the property {@code os.version}, whose first number counts
     */
    static KeventLayout of(OperatingSystem os, String osVersion) {
        return switch (os) {
            // libkqueue's: Linux has none of its own.
            case LINUX -> FREEBSD_11;
            case DARWIN -> DARWIN;
            case OPENBSD -> OPENBSD;
            case DRAGONFLY -> DRAGONFLY;
            case FREEBSD -> major(osVersion) >= 12 ? FREEBSD_12 : FREEBSD_11;
            case NETBSD -> major(osVersion) >= 11 ? NETBSD_11 : NETBSD_10;
        };
    }

    private static int major(String osVersion) {
        int end = 0;
        while (end < osVersion.length() && Character.isDigit(osVersion.charAt(end))) {
            end++;
        }
        if (end == 0 || end > 4) {
            throw new IllegalArgumentException("the system's version is \"" + osVersion
                    + "\", which begins with no number; choose the layout with -Dthrust.kqueue.layout=NAME");
        }
        return Integer.parseInt(osVersion.substring(0, end));
    }

    /** Whether a machine of this {@code os.arch} has pointers of 64 bits, which all layouts here suppose. */
    static boolean suits(@Nullable String osArch) {
        String arch = osArch == null ? "" : osArch.toLowerCase(Locale.ROOT);
        return arch.contains("64") || arch.equals("s390x") || arch.equals("sparcv9");
    }
}
