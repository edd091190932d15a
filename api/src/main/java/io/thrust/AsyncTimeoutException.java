package io.thrust;

import java.io.IOException;

/** A computation took longer than it was given, and was cancelled. */
public final class AsyncTimeoutException extends IOException {
    private static final long serialVersionUID = 1L;

    public AsyncTimeoutException(String message) {
        super(message);
    }
}
