package io.thrust.poll.spi;

import io.thrust.poll.BrokenPipeException;
import io.thrust.poll.ConnectionResetException;
import io.thrust.poll.TooManyOpenFilesException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The failures that have one exception type and one wording with every provider. A message reads {@code <operation>:
 * <wording>}, for example {@code connect to 127.0.0.1:1: connection refused}.
 */
public enum SocketError {
    REFUSED("connection refused", ConnectException::new, "ECONNREFUSED"),
    TIMED_OUT("connection timed out", ConnectException::new, "ETIMEDOUT"),
    RESET("connection reset by peer", ConnectionResetException::new, "ECONNRESET", "ECONNABORTED"),
    BROKEN_PIPE("broken pipe", BrokenPipeException::new, "EPIPE", "ESHUTDOWN"),
    ADDRESS_IN_USE("address already in use", BindException::new, "EADDRINUSE"),
    ADDRESS_NOT_AVAILABLE("address not available on this machine", BindException::new, "EADDRNOTAVAIL"),
    PERMISSION_DENIED("permission denied", SocketException::new, "EACCES", "EPERM"),
    HOST_UNREACHABLE("no route to host", NoRouteToHostException::new, "EHOSTUNREACH", "EHOSTDOWN"),
    NETWORK_UNREACHABLE("network is unreachable", NoRouteToHostException::new, "ENETUNREACH", "ENETDOWN"),
    ADDRESS_FAMILY("address family not supported here", SocketException::new, "EAFNOSUPPORT"),
    NOT_FOUND("no such file or directory", SocketException::new, "ENOENT"),
    NO_BUFFER_SPACE("no buffer space or memory left in the system", SocketException::new, "ENOBUFS", "ENOMEM"),
    TOO_MANY_OPEN_FILES(
            "too many open files; raise the limit (ulimit -n) or close some",
            TooManyOpenFilesException::new,
            "EMFILE",
            "ENFILE");

    private final String wording;
    private final Function<String, SocketException> constructor;
    private final Set<String> errnoNames;

    SocketError(String wording, Function<String, SocketException> constructor, String... errnoNames) {
        this.wording = wording;
        this.constructor = constructor;
        this.errnoNames = Set.of(errnoNames);
    }

    /** The end of the message. */
    public String wording() {
        return wording;
    }

    /** The POSIX names of the error numbers that mean this. */
    public Set<String> errnoNames() {
        return errnoNames;
    }

    /**
     * Returns the exception for this failure.
     *
     * @param operation what was tried and with what, for example {@code connect to 127.0.0.1:1}
     */
    public SocketException exception(String operation) {
        return constructor.apply(operation + ": " + wording);
    }

    /** Returns the exception for a failure that is not in this table, with the system's own words. */
    public static SocketException other(String operation, String systemMessage) {
        return new SocketException(operation + ": " + systemMessage);
    }

    /** Returns the entry that has this name of an error number, for example {@code ECONNRESET}, or null. */
    public static @Nullable SocketError ofErrnoName(String name) {
        for (SocketError error : values()) {
            if (error.errnoNames.contains(name)) {
                return error;
            }
        }
        return null;
    }
}
