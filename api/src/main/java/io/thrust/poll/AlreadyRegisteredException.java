package io.thrust.poll;

/** The source is registered already: with this poller, or with the one that the message names. */
public final class AlreadyRegisteredException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    public AlreadyRegisteredException(String message) {
        super(message);
    }
}
