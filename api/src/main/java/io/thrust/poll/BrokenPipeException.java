package io.thrust.poll;

import java.net.SocketException;

/** The other side no longer reads, or the outgoing direction was shut down. */
public final class BrokenPipeException extends SocketException {
    private static final long serialVersionUID = 1L;

    public BrokenPipeException(String message) {
        super(message);
    }
}
