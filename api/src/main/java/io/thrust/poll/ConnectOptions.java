package io.thrust.poll;

import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * How a connection is opened. Immutable; the {@code with...} methods return a changed copy.
 *
 * @param localAddress the address to bind to before connecting, or null for the system's choice
 * @param noDelay whether a TCP stream has {@code TCP_NODELAY} set from the start
 * @param receiveBuffer {@code SO_RCVBUF} in bytes, set before connecting, or 0 for the system's own choice
 * @param sendBuffer {@code SO_SNDBUF} in bytes, set before connecting, or 0 for the system's own choice
 */
public record ConnectOptions(@Nullable SocketAddress localAddress, boolean noDelay, int receiveBuffer, int sendBuffer) {

    /** The system's choice of local address and buffer sizes, no-delay on. */
    public static final ConnectOptions DEFAULT = new ConnectOptions(null, true, 0, 0);

    public ConnectOptions {
        if (receiveBuffer < 0 || sendBuffer < 0) {
            throw new IllegalArgumentException("receiveBuffer is " + receiveBuffer + " and sendBuffer " + sendBuffer
                    + " bytes, but each must be positive, or 0 for the system's choice");
        }
    }

    public ConnectOptions withLocalAddress(@Nullable SocketAddress localAddress) {
        return new ConnectOptions(localAddress, noDelay, receiveBuffer, sendBuffer);
    }

    public ConnectOptions withNoDelay(boolean noDelay) {
        return new ConnectOptions(localAddress, noDelay, receiveBuffer, sendBuffer);
    }

    public ConnectOptions withReceiveBuffer(int receiveBuffer) {
        return new ConnectOptions(localAddress, noDelay, receiveBuffer, sendBuffer);
    }

    public ConnectOptions withSendBuffer(int sendBuffer) {
        return new ConnectOptions(localAddress, noDelay, receiveBuffer, sendBuffer);
    }
}
