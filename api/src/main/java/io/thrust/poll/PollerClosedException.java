package io.thrust.poll;

/** The poller was used after it was closed. */
public final class PollerClosedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    public PollerClosedException(String message) {
        super(message);
    }
}
