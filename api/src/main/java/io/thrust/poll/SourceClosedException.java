package io.thrust.poll;

import java.nio.channels.ClosedChannelException;
import java.util.Objects;

/** The source was used after it was closed. */
public final class SourceClosedException extends ClosedChannelException {
    private static final long serialVersionUID = 1L;

    private final String message;

    public SourceClosedException(String message) {
        this.message = Objects.requireNonNull(message, "message");
    }

    @Override
    public String getMessage() {
        return message;
    }
}
