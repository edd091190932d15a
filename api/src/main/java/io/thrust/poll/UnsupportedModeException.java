package io.thrust.poll;

/** The provider lacks the mode asked for; the message lists those it has. */
public final class UnsupportedModeException extends UnsupportedOperationException {
    private static final long serialVersionUID = 1L;

    public UnsupportedModeException(String message) {
        super(message);
    }
}
