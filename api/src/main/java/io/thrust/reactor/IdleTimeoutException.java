package io.thrust.reactor;

import java.io.IOException;

/** An operation waited, and nothing was transferred in either direction for as long as the idle timeout allows. */
public final class IdleTimeoutException extends IOException {
    private static final long serialVersionUID = 1L;

    public IdleTimeoutException(String message) {
        super(message);
    }
}
