package io.thrust.epoll;

import io.netty.channel.unix.Errors.NativeIoException;
import io.thrust.poll.spi.SocketError;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.nio.channels.ClosedChannelException;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** From what Netty throws to the exceptions of the SPI, by Linux's error numbers. */
final class Failures {
    private static final int EPERM = 1;
    private static final int ENOENT = 2;
    private static final int EBADF = 9;
    private static final int EAGAIN = 11;
    static final int EMFILE = 24;
    private static final int ENOSPC = 28;
    private static final int ENETUNREACH = 101;
    private static final int ECONNRESET = 104;
    private static final int ETIMEDOUT = 110;
    private static final int EHOSTUNREACH = 113;

    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(EPERM, "EPERM"),
            Map.entry(ENOENT, "ENOENT"),
            Map.entry(12, "ENOMEM"),
            Map.entry(13, "EACCES"),
            Map.entry(23, "ENFILE"),
            Map.entry(EMFILE, "EMFILE"),
            Map.entry(32, "EPIPE"),
            Map.entry(97, "EAFNOSUPPORT"),
            Map.entry(98, "EADDRINUSE"),
            Map.entry(99, "EADDRNOTAVAIL"),
            Map.entry(100, "ENETDOWN"),
            Map.entry(ENETUNREACH, "ENETUNREACH"),
            Map.entry(103, "ECONNABORTED"),
            Map.entry(ECONNRESET, "ECONNRESET"),
            Map.entry(105, "ENOBUFS"),
            Map.entry(108, "ESHUTDOWN"),
            Map.entry(ETIMEDOUT, "ETIMEDOUT"),
            Map.entry(111, "ECONNREFUSED"),
            Map.entry(112, "EHOSTDOWN"),
            Map.entry(EHOSTUNREACH, "EHOSTUNREACH"));

    /** Out of descriptors or memory: what opening an epoll or event descriptor fails with, known by its words only. */
    private static final int[] OUT_OF_RESOURCES = {EMFILE, 23, 12};

    private static final Pattern ERRNO_IN_MESSAGE = Pattern.compile("error\\(-(\\d+)\\)");

    private Failures() {}

    /** The error number behind an exception of Netty's, or 0 if there is none to be found. */
    static int errno(@Nullable Throwable thrown) {
        if (thrown == null) {
            return 0;
        }
        if (thrown instanceof NativeIoException told) {
            return -told.expectedErr();
        }
        if (thrown instanceof ClosedChannelException) {
            return EBADF;
        }
        if (thrown instanceof FileNotFoundException) {
            return ENOENT;
        }
        if (thrown instanceof NoRouteToHostException) {
            // Thrown without a number for this and for EHOSTUNREACH; at once it is this one, as a rule.
            return ENETUNREACH;
        }
        String message = String.valueOf(thrown.getMessage());
        if (thrown instanceof ConnectException) {
            Matcher matcher = ERRNO_IN_MESSAGE.matcher(message);
            return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
        }
        int errno = errno(thrown.getCause());
        for (int i = 0; errno == 0 && i < OUT_OF_RESOURCES.length; i++) {
            if (message.endsWith(words(OUT_OF_RESOURCES[i]))) {
                errno = OUT_OF_RESOURCES[i];
            }
        }
        return errno;
    }

    /** The exception of the SPI for a failed operation, for example {@code connect to 127.0.0.1:1}. */
    static IOException of(String operation, Throwable thrown) {
        int errno = errno(thrown);
        if (errno != 0) {
            return ofErrno(operation, errno);
        }
        IOException other = SocketError.other(operation, String.valueOf(thrown.getMessage()));
        other.initCause(thrown);
        return other;
    }

    static IOException ofErrno(String operation, int errno) {
        String name = NAMES.get(errno);
        SocketError known = name == null ? null : SocketError.ofErrnoName(name);
        return known != null ? known.exception(operation) : SocketError.other(operation, words(errno));
    }

    /** As {@link #of}, of a connect: a listener's full queue (a Unix domain socket's only) is a refusal for now. */
    static IOException connecting(String operation, Throwable thrown) {
        return errno(thrown) == EAGAIN
                ? new ConnectException(operation + ": the listener's queue is full; try again later")
                : of(operation, thrown);
    }

    /** As {@link #of}, of {@code epoll_ctl}, whose numbers have meanings of their own. */
    static IOException watching(String operation, Throwable thrown) {
        return switch (errno(thrown)) {
            case EPERM ->
                new IOException(operation + ": epoll cannot watch this kind of file (a regular file, for example)");
            case ENOSPC ->
                new IOException(
                        operation + ": too many watched descriptors; raise /proc/sys/fs/epoll/max_user_watches");
            case EBADF, ENOENT -> new IOException(operation + ": the descriptor was closed without closing the source");
            default -> of(operation, thrown);
        };
    }

    /** Whether {@code accept} failed for one connection only, so that the next may be asked for; see accept(2). */
    static boolean concernsOneConnection(Throwable thrown) {
        return switch (errno(thrown)) {
            // The numbers: ENONET, EPROTO, ENOPROTOOPT, EOPNOTSUPP, ENETDOWN, ECONNABORTED, EHOSTDOWN.
            case EPERM, ENETUNREACH, EHOSTUNREACH, 64, 71, 92, 95, 100, 103, 112 -> true;
            default -> false;
        };
    }

    /** Whether the kernel tells this error of a connection once and an end of stream after it. */
    static boolean breaksConnection(int errno) {
        return errno == ECONNRESET || errno == ETIMEDOUT || errno == EHOSTUNREACH || errno == ENETUNREACH;
    }

    /** What the system calls the error. */
    private static String words(int errno) {
        String message = String.valueOf(new NativeIoException("", -errno, false).getMessage());
        return message.substring(message.indexOf("): ") + "): ".length());
    }
}
