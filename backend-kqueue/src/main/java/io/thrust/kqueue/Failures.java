package io.thrust.kqueue;

import io.thrust.poll.spi.SocketError;
import java.io.IOException;
import java.net.ConnectException;

/** From error numbers to the exceptions of the SPI. */
final class Failures {
    private Failures() {}

    /** The exception for a failed operation, for example {@code connect to 127.0.0.1:1}. */
    static IOException of(Numbers numbers, String operation, int errno) {
        String name = numbers.errnoName(errno);
        SocketError known = name == null ? null : SocketError.ofErrnoName(name);
        return known != null ? known.exception(operation) : SocketError.other(operation, numbers.errnoWords(errno));
    }

    /** As {@link #of}, of a connect: a listener's full queue (a Unix domain socket's, on Linux) is a refusal for now. */
    static IOException connecting(Numbers numbers, String operation, int errno) {
        return errno == numbers.eagain
                ? new ConnectException(operation + ": the listener's queue is full; try again later")
                : of(numbers, operation, errno);
    }

    /** As {@link #of}, of a change to a kqueue, whose numbers have meanings of their own. */
    static IOException watching(Numbers numbers, String operation, int errno) {
        if (errno == numbers.ebadf || errno == numbers.enoent) {
            return new IOException(operation + ": the descriptor was closed without closing the source");
        }
        String name = String.valueOf(numbers.errnoName(errno));
        return switch (name) {
            case "EINVAL", "ENODEV", "ENOTSUP", "EOPNOTSUPP" ->
                new IOException(operation + ": kqueue cannot watch this kind of file: " + numbers.errnoWords(errno));
            default -> of(numbers, operation, errno);
        };
    }
}
