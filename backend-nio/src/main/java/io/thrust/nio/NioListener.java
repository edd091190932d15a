package io.thrust.nio;

import io.thrust.poll.Interest;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.StreamSource;
import io.thrust.poll.spi.SocketError;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A TCP or Unix domain listener. */
final class NioListener extends NioSource implements ListenerSource {
    private final NioProvider nio;
    private final ServerSocketChannel socket;
    private final SocketAddress local;
    private final boolean unix;
    private final boolean noDelay;
    private final @Nullable SocketFile file;

    private NioListener(
            NioProvider provider,
            ServerSocketChannel socket,
            SocketAddress local,
            boolean unix,
            boolean borrowed,
            boolean noDelay) {
        super(provider, socket, borrowed, Interest.READ);
        this.nio = provider;
        this.socket = socket;
        this.local = local;
        this.unix = unix;
        this.noDelay = noDelay && !unix;
        this.file = borrowed ? null : SocketFile.of(local);
    }

    static NioListener listen(NioProvider provider, SocketAddress local, ListenOptions options) throws IOException {
        boolean unix = Addresses.isUnix(local, "local");
        String operation = "listen on " + Addresses.text(local);
        ServerSocketChannel socket = open(unix, operation);
        boolean done = false;
        try {
            socket.configureBlocking(false);
            if (!unix) {
                socket.setOption(StandardSocketOptions.SO_REUSEADDR, options.reuseAddress());
            }
            if (options.reusePort()) {
                if (!socket.supportedOptions().contains(StandardSocketOptions.SO_REUSEPORT)) {
                    throw new UnsupportedOperationException(operation + ": SO_REUSEPORT is not supported here"
                            + (unix ? " for Unix domain sockets" : "") + "; listen without reusePort");
                }
                socket.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            }
            if (options.receiveBuffer() > 0) {
                socket.setOption(StandardSocketOptions.SO_RCVBUF, options.receiveBuffer());
            }
            socket.bind(local, options.backlog());
            NioListener listener = new NioListener(
                    provider, socket, Objects.requireNonNull(socket.getLocalAddress()), unix, false, options.noDelay());
            done = true;
            return listener;
        } catch (UnsupportedAddressTypeException e) {
            // An IPv6 address where the JDK has IPv4 only.
            throw (IOException) SocketError.ADDRESS_FAMILY.exception(operation).initCause(e);
        } catch (IOException e) {
            throw NioErrors.map(operation, e);
        } finally {
            if (!done) {
                socket.close();
            }
        }
    }

    private static ServerSocketChannel open(boolean unix, String operation) throws IOException {
        try {
            return unix ? ServerSocketChannel.open(StandardProtocolFamily.UNIX) : ServerSocketChannel.open();
        } catch (UnsupportedOperationException e) {
            throw (UnsupportedAddressTypeException) new UnsupportedAddressTypeException().initCause(e);
        } catch (IOException e) {
            throw NioErrors.map(operation, e);
        }
    }

    /** A source over a bound channel of the user's. */
    static NioListener adopted(NioProvider provider, ServerSocketChannel socket, SocketAddress local) {
        boolean unix = Addresses.isUnix(local, "local");
        return new NioListener(provider, socket, local, unix, true, false);
    }

    @Override
    public @Nullable StreamSource accept() throws IOException {
        ensureOpen();
        while (true) {
            SocketChannel accepted;
            try {
                accepted = socket.accept();
            } catch (ClosedChannelException e) {
                throw closed(e);
            } catch (IOException e) {
                if (isGone(e)) {
                    continue;
                }
                throw NioErrors.map("accept on " + this, e);
            }
            if (accepted == null) {
                return null;
            }
            NioStream stream = null;
            try {
                stream = NioStream.accepted(nio, accepted, noDelay);
                return stream;
            } catch (IOException e) {
                // Some systems refuse any call on a connection that its client has reset: as good as gone.
            } finally {
                if (stream == null) {
                    accepted.close();
                }
            }
        }
    }

    /** Whether a failure is that of the one connection, which has left the queue with it. */
    private static boolean isGone(IOException failure) {
        SocketError error = NioErrors.classify(failure);
        return error == SocketError.RESET
                || error == SocketError.TIMED_OUT
                || error == SocketError.HOST_UNREACHABLE
                || error == SocketError.NETWORK_UNREACHABLE
                || failure instanceof ProtocolException;
    }

    @Override
    public SocketAddress localAddress() throws IOException {
        ensureOpen();
        return local;
    }

    @Override
    int keyOpsFor(int wanted) {
        return (wanted & READ) != 0 ? SelectionKey.OP_ACCEPT : 0;
    }

    @Override
    protected void release() throws IOException {
        try {
            super.release();
        } finally {
            if (file != null) {
                file.delete();
            }
        }
    }

    @Override
    public String toString() {
        return (isBorrowed() ? "adopted " : "") + (unix ? "unix listener " : "tcp listener ") + Addresses.text(local);
    }
}
