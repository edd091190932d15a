package io.thrust.poll;

import java.net.SocketException;

/** The peer reset the connection. */
public final class ConnectionResetException extends SocketException {
    private static final long serialVersionUID = 1L;

    public ConnectionResetException(String message) {
        super(message);
    }
}
