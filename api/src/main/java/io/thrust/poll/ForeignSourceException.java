package io.thrust.poll;

/** The source was made by another provider than the poller; the message names both. */
public final class ForeignSourceException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public ForeignSourceException(String message) {
        super(message);
    }
}
