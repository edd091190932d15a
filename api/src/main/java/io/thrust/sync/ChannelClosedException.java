package io.thrust.sync;

/** Something was sent to what was closed, or waited for what was closed without having sent it. */
public final class ChannelClosedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ChannelClosedException(String message) {
        super(message);
    }
}
