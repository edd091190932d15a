package io.thrust.poll;

/** The source is not registered with this poller. */
public final class NotRegisteredException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    public NotRegisteredException(String message) {
        super(message);
    }
}
