package io.thrust.poll;

/**
 * How a listener is opened. Immutable; the {@code with...} methods return a changed copy.
 *
 * @param backlog the most connections that wait to be accepted, at least 1; the system may use a smaller number
 * @param reuseAddress {@code SO_REUSEADDR}: bind although connections of an earlier listener linger
 * @param reusePort {@code SO_REUSEPORT}: several listeners share one port
 * @param noDelay whether accepted TCP streams have {@code TCP_NODELAY} set from the start
 * @param receiveBuffer {@code SO_RCVBUF} in bytes of the listener and of what it accepts, or 0 for the system's own
 *     choice
 */
public record ListenOptions(int backlog, boolean reuseAddress, boolean reusePort, boolean noDelay, int receiveBuffer) {

    /** Backlog 1024, address reuse and no-delay on, port reuse off, the system's buffer size. */
    public static final ListenOptions DEFAULT = new ListenOptions(1024, true, false, true, 0);

    public ListenOptions {
        if (backlog < 1) {
            throw new IllegalArgumentException("backlog is " + backlog + ", but must be at least 1");
        }
        if (receiveBuffer < 0) {
            throw new IllegalArgumentException(
                    "receiveBuffer is " + receiveBuffer + " bytes, but must be positive, or 0 for the system's choice");
        }
    }

    public ListenOptions withBacklog(int backlog) {
        return new ListenOptions(backlog, reuseAddress, reusePort, noDelay, receiveBuffer);
    }

    public ListenOptions withReuseAddress(boolean reuseAddress) {
        return new ListenOptions(backlog, reuseAddress, reusePort, noDelay, receiveBuffer);
    }

    public ListenOptions withReusePort(boolean reusePort) {
        return new ListenOptions(backlog, reuseAddress, reusePort, noDelay, receiveBuffer);
    }

    public ListenOptions withNoDelay(boolean noDelay) {
        return new ListenOptions(backlog, reuseAddress, reusePort, noDelay, receiveBuffer);
    }

    public ListenOptions withReceiveBuffer(int receiveBuffer) {
        return new ListenOptions(backlog, reuseAddress, reusePort, noDelay, receiveBuffer);
    }
}
