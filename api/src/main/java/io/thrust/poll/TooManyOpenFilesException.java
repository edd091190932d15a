package io.thrust.poll;

import java.net.SocketException;

/** The process or the system has no file descriptor left: raise the limit ({@code ulimit -n}), or close something. */
public final class TooManyOpenFilesException extends SocketException {
    private static final long serialVersionUID = 1L;

    public TooManyOpenFilesException(String message) {
        super(message);
    }
}
