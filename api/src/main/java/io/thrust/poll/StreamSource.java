package io.thrust.poll;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A connected or connecting stream socket. */
public interface StreamSource extends InputSource, OutputSource {

    /**
     * Asks how the connect that opened this stream stands. Writable readiness is no proof of a connection: this is.
     * On an accepted or already connected stream the answer is true.
     *
     * @return true if it is connected, false if the connect is still under way
     * @throws java.net.ConnectException if it was refused or timed out; the message names the remote address. The
     *     stream is of no more use and is to be closed. Later calls throw the same kind of exception
     * @throws IOException if it failed in another way
     */
    boolean finishConnect() throws IOException;

    /**
     * Ends the outgoing direction: the peer reads what was written, then the end of the stream. The incoming direction
     * goes on. A second call does nothing, nor does one on a stream that the peer has reset. A write afterwards throws
     * {@link BrokenPipeException}.
     *
     * @throws java.nio.channels.NotYetConnectedException if the connect is still under way
     */
    void shutdownOutput() throws IOException;

    /** The local address, or null if the system knows none (any more). */
    @Nullable SocketAddress localAddress() throws IOException;

    /**
     * The address of the peer: the one given to {@code connect}, or that of the accepted client. It stays known after
     * the peer has gone.
     */
    SocketAddress remoteAddress();

    /**
     * Sets an option, one of {@link #supportedOptions()}.
     *
     * @throws UnsupportedOperationException if it is not supported; the message lists those that are
     * @throws IllegalArgumentException if the value is not valid for it
     */
    <T> void setOption(SocketOption<T> option, T value) throws IOException;

    /** The value of an option; {@link java.net.StandardSocketOptions#SO_LINGER} is -1 when off. */
    <T> T getOption(SocketOption<T> option) throws IOException;

    /**
     * The options of this stream. For TCP at least {@code TCP_NODELAY}, {@code SO_KEEPALIVE}, {@code SO_LINGER},
     * {@code SO_SNDBUF}, {@code SO_RCVBUF} and {@code SO_REUSEADDR} of {@link java.net.StandardSocketOptions}.
     */
    Set<SocketOption<?>> supportedOptions();
}
