package io.thrust.nio;

import io.thrust.poll.spi.SocketError;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import org.jspecify.annotations.Nullable;

/**
 * Finds the {@link SocketError} behind an exception of the JDK, which carries no error number but a type, which several
 * errors share, and a message. Most messages are the system's own, and translated where the process runs in another
 * language than English: then the type is kept as it is, and the message is passed on.
 */
final class NioErrors {
    /** Parts of messages of Linux, macOS, Windows and the JDK itself. */
    private static final Wording[] WORDINGS = {
        new Wording("Connection refused", SocketError.REFUSED),
        new Wording("Connection timed out", SocketError.TIMED_OUT),
        new Wording("Operation timed out", SocketError.TIMED_OUT),
        new Wording("Connection reset", SocketError.RESET),
        new Wording("Software caused connection abort", SocketError.RESET),
        new Wording("An existing connection was forcibly closed", SocketError.RESET),
        new Wording("An established connection was aborted", SocketError.RESET),
        new Wording("Broken pipe", SocketError.BROKEN_PIPE),
        new Wording("Cannot send after transport endpoint shutdown", SocketError.BROKEN_PIPE),
        new Wording("Address already in use", SocketError.ADDRESS_IN_USE),
        new Wording("Cannot assign requested address", SocketError.ADDRESS_NOT_AVAILABLE),
        new Wording("Can't assign requested address", SocketError.ADDRESS_NOT_AVAILABLE),
        new Wording("Permission denied", SocketError.PERMISSION_DENIED),
        new Wording("Operation not permitted", SocketError.PERMISSION_DENIED),
        new Wording("No route to host", SocketError.HOST_UNREACHABLE),
        new Wording("Host is down", SocketError.HOST_UNREACHABLE),
        new Wording("Network is unreachable", SocketError.NETWORK_UNREACHABLE),
        new Wording("Network is down", SocketError.NETWORK_UNREACHABLE),
        new Wording("Address family not supported", SocketError.ADDRESS_FAMILY),
        new Wording("No such file or directory", SocketError.NOT_FOUND),
        new Wording("No buffer space available", SocketError.NO_BUFFER_SPACE),
        new Wording("Cannot allocate memory", SocketError.NO_BUFFER_SPACE),
        new Wording("Too many open files", SocketError.TOO_MANY_OPEN_FILES),
    };

    private NioErrors() {}

    /** Returns the exception that the contract has for a failure; the JDK's own is its cause. */
    static SocketException map(String operation, IOException failure) {
        SocketError error = classify(failure);
        SocketException mapped = error != null ? error.exception(operation) : ofType(operation, failure);
        mapped.initCause(failure);
        return mapped;
    }

    /** Returns the entry of the table that a failure belongs to, or null. */
    static @Nullable SocketError classify(IOException failure) {
        String message = failure.getMessage();
        if (message != null) {
            for (Wording wording : WORDINGS) {
                if (message.contains(wording.text)) {
                    return wording.error;
                }
            }
        }
        return failure instanceof NoRouteToHostException ? SocketError.HOST_UNREACHABLE : null;
    }

    /** Whether a connection has ended by this failure of an operation on it, and not in an orderly way. */
    static boolean isLoss(IOException failure) {
        SocketError error = classify(failure);
        return error == SocketError.RESET
                || error == SocketError.TIMED_OUT
                || error == SocketError.HOST_UNREACHABLE
                || error == SocketError.NETWORK_UNREACHABLE;
    }

    private static SocketException ofType(String operation, IOException failure) {
        String message = failure.getMessage() != null ? failure.getMessage() : failure.toString();
        if (failure instanceof ConnectException) {
            return new ConnectException(operation + ": " + message);
        }
        if (failure instanceof BindException) {
            return new BindException(operation + ": " + message);
        }
        return SocketError.other(operation, message);
    }

    private record Wording(String text, SocketError error) {}
}
