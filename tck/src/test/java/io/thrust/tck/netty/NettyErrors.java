package io.thrust.tck.netty;

import io.netty.channel.unix.Errors.NativeIoException;
import io.thrust.poll.spi.SocketError;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetConnectedException;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jnr.constants.platform.Errno;
import org.jspecify.annotations.Nullable;

/** From what Netty throws to the exceptions of the SPI. The numbers are those of the system it runs on. */
final class NettyErrors {
    private static final Pattern NUMBER = Pattern.compile("error\\(-(\\d+)\\)");

    private static final Set<String> OF_ONE_CONNECTION = Set.of(
            "ECONNABORTED",
            "EPERM",
            "EPROTO",
            "ENOPROTOOPT",
            "EOPNOTSUPP",
            "EHOSTDOWN",
            "ENETDOWN",
            "EHOSTUNREACH",
            "ENETUNREACH");

    private static final Set<String> BREAKING = Set.of("ECONNRESET", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH");

    private NettyErrors() {}

    static int number(String name) {
        return Errno.valueOf(name).intValue();
    }

    static String name(int errno) {
        return Errno.valueOf(errno).name();
    }

    /** The error number behind an exception of Netty's, or 0 if there is none to be found. */
    static int number(@Nullable Throwable thrown) {
        if (thrown == null) {
            return 0;
        }
        if (thrown instanceof NativeIoException told) {
            return -told.expectedErr();
        }
        // The exceptions that Netty throws in place of a number.
        if (thrown instanceof ClosedChannelException) {
            return number("EBADF");
        }
        if (thrown instanceof FileNotFoundException) {
            return number("ENOENT");
        }
        if (thrown instanceof NotYetConnectedException) {
            return number("ENOTCONN");
        }
        if (thrown instanceof NoRouteToHostException) {
            return number("ENETUNREACH");
        }
        if (thrown instanceof ConnectException) {
            Matcher matcher = NUMBER.matcher(String.valueOf(thrown.getMessage()));
            return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
        }
        int errno = number(thrown.getCause());
        if (errno == 0 && String.valueOf(thrown.getMessage()).endsWith(text("EMFILE"))) {
            errno = number("EMFILE"); // of kqueue(2), which Netty tells in words only
        }
        return errno;
    }

    private static String text(String name) {
        return Errno.valueOf(name).toString();
    }

    /** The exception for a failed operation, for example {@code connect to 127.0.0.1:1}. */
    static IOException of(String operation, Throwable thrown) {
        int errno = number(thrown);
        if (errno != 0) {
            return of(operation, errno);
        }
        IOException other = SocketError.other(operation, String.valueOf(thrown.getMessage()));
        other.initCause(thrown);
        return other;
    }

    static IOException of(String operation, int errno) {
        SocketError known = SocketError.ofErrnoName(name(errno));
        return known != null
                ? known.exception(operation)
                : SocketError.other(operation, Errno.valueOf(errno) + " (" + name(errno) + ")");
    }

    /** Whether {@code accept} failed for one connection only, so that the next may be asked for. */
    static boolean concernsOneConnection(Throwable thrown) {
        return OF_ONE_CONNECTION.contains(name(number(thrown)));
    }

    /** Whether the kernel tells this error of a connection once and an end of stream after it. */
    static boolean breaksConnection(int errno) {
        return errno != 0 && BREAKING.contains(name(errno));
    }
}
