package io.thrust.poll;

/** A poller, or a source registered with it, was used by another thread than its owner; the message names both. */
public final class PollerOwnershipException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    public PollerOwnershipException(String message) {
        super(message);
    }
}
