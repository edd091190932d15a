package io.thrust.nio;

import io.thrust.poll.ConnectOptions;
import io.thrust.poll.Interest;
import io.thrust.poll.StreamSource;
import io.thrust.poll.spi.SocketError;
import io.thrust.poll.spi.StreamOptions;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A TCP or Unix domain stream. The selector reports a connecting channel for OP_CONNECT only, and would find it ready
 * again and again once the connect has ended: so the poller ends it ({@link #settle}) as soon as it is reported, and
 * the outcome is kept for {@link #finishConnect}.
 */
final class NioStream extends NioByteSource implements StreamSource {
    private final SocketChannel socket;
    private final boolean unix;
    private final SocketAddress remote;
    private @Nullable SocketAddress local;
    private final @Nullable SocketFile file;
    private boolean connecting;
    private @Nullable IOException connectFailure;
    private boolean outputShut;

    private NioStream(
            NioProvider provider,
            SocketChannel socket,
            boolean borrowed,
            SocketAddress remote,
            @Nullable SocketFile file)
            throws IOException {
        super(provider, socket, borrowed, Interest.READ_WRITE);
        this.socket = socket;
        this.unix = !(remote instanceof InetSocketAddress);
        this.remote = remote;
        this.file = file;
        connecting = !socket.isConnected();
        local = connecting ? null : socket.getLocalAddress();
    }

    static NioStream connect(NioProvider provider, SocketAddress remote, ConnectOptions options) throws IOException {
        boolean unix = Addresses.isUnix(remote, "remote");
        SocketAddress from = options.localAddress();
        if (from != null && Addresses.isUnix(from, "localAddress") != unix) {
            throw new UnsupportedAddressTypeException();
        }
        String operation = "connect to " + Addresses.text(remote);
        SocketChannel socket = open(unix, operation);
        SocketFile file = null;
        boolean done = false;
        try {
            socket.configureBlocking(false);
            if (options.receiveBuffer() > 0) {
                socket.setOption(StandardSocketOptions.SO_RCVBUF, options.receiveBuffer());
            }
            if (options.sendBuffer() > 0) {
                socket.setOption(StandardSocketOptions.SO_SNDBUF, options.sendBuffer());
            }
            if (!unix && options.noDelay()) {
                socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
            }
            if (from != null) {
                operation = "bind to " + Addresses.text(from);
                socket.bind(from);
                file = SocketFile.of(socket.getLocalAddress());
                operation = "connect to " + Addresses.text(remote);
            }
            if (!unix) {
                socket.connect(remote);
            } else if (!connectUnix(socket, remote)) {
                throw new ConnectException(operation + ": the listener's queue is full; try again later");
            }
            NioStream stream = new NioStream(provider, socket, false, remote, file);
            done = true;
            return stream;
        } catch (UnsupportedAddressTypeException e) {
            // An IPv6 address where the JDK has IPv4 only, or the other way round.
            throw (IOException) SocketError.ADDRESS_FAMILY.exception(operation).initCause(e);
        } catch (IOException e) {
            throw isOurs(e, operation) ? e : NioErrors.map(operation, e);
        } finally {
            if (!done) {
                socket.close();
                if (file != null) {
                    file.delete();
                }
            }
        }
    }

    /**
     * Connects to a Unix domain listener, which succeeds at once or not at all: where the backlog is full nothing goes
     * on behind a call that would block.
     */
    private static boolean connectUnix(SocketChannel socket, SocketAddress remote) throws IOException {
        try {
            return socket.connect(remote);
        } catch (IOException e) {
            if (e.getMessage() != null && e.getMessage().contains("temporarily unavailable")) {
                return false;
            }
            throw e;
        }
    }

    private static boolean isOurs(IOException failure, String operation) {
        return failure.getMessage() != null && failure.getMessage().startsWith(operation);
    }

    private static SocketChannel open(boolean unix, String operation) throws IOException {
        try {
            return unix ? SocketChannel.open(StandardProtocolFamily.UNIX) : SocketChannel.open();
        } catch (UnsupportedOperationException e) {
            throw (UnsupportedAddressTypeException) new UnsupportedAddressTypeException().initCause(e);
        } catch (IOException e) {
            throw NioErrors.map(operation, e);
        }
    }

    /** Takes over an accepted channel, which is still in blocking mode. The caller closes it if this throws. */
    static NioStream accepted(NioProvider provider, SocketChannel socket, boolean noDelay) throws IOException {
        socket.configureBlocking(false);
        SocketAddress remote = socket.getRemoteAddress();
        if (noDelay) {
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }
        return new NioStream(provider, socket, false, remote, null);
    }

    /** A source over a connected or connecting channel of the user's. */
    static NioStream adopted(NioProvider provider, SocketChannel socket, SocketAddress remote) throws IOException {
        return new NioStream(provider, socket, true, remote, null);
    }

    // ---- connecting

    @Override
    public boolean finishConnect() throws IOException {
        ensureOpen();
        if (connectFailure != null) {
            throw again();
        }
        if (!connecting) {
            return true;
        }
        try {
            if (!socket.finishConnect()) {
                return false;
            }
            local = socket.getLocalAddress();
        } catch (ClosedChannelException e) {
            throw closed(e);
        } catch (IOException e) {
            connectFailure = e;
            connectEnded();
            throw again();
        }
        connectEnded();
        return true;
    }

    /** The selector need not wait for the end of the connect any more. */
    private void connectEnded() {
        connecting = false;
        if (registeredWith() instanceof NioPoller poller) {
            poller.changed(this);
        }
    }

    private IOException again() {
        return NioErrors.map("connect to " + Addresses.text(remote), Objects.requireNonNull(connectFailure));
    }

    /**
     * Ends the connect once the selector has reported it.
     *
     * @return whether it is connected now; otherwise {@link #hasFailed} is true, or it is under way still
     */
    boolean settle() {
        try {
            return finishConnect();
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    boolean hasFailed() {
        return connectFailure != null;
    }

    /**
     * The JDK shuts a connection down at once, even if its descriptor is released later, so that the peer sees the end;
     * but not where the end is to be a reset, or is to wait.
     */
    @Override
    boolean mayCloseLate() {
        try {
            return !isBorrowed() && socket.isConnected() && socket.getOption(StandardSocketOptions.SO_LINGER) < 0;
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    @Override
    int keyOpsFor(int wanted) {
        return !connecting ? super.keyOpsFor(wanted) : wanted != 0 ? SelectionKey.OP_CONNECT : 0;
    }

    // ---- bytes

    @Override
    void ensureUsable() throws IOException {
        if (connectFailure != null) {
            throw again();
        }
    }

    @Override
    public int read(ByteBuffer dst) throws IOException {
        return readFrom(socket, dst);
    }

    @Override
    public boolean isDrainedByShortRead() {
        return !unix && !isBorrowed();
    }

    @Override
    public int write(ByteBuffer src) throws IOException {
        refuseAfterShutdown(src.hasRemaining());
        return writeTo(socket, src);
    }

    @Override
    public long write(ByteBuffer[] srcs, int offset, int length) throws IOException {
        if (outputShut) {
            Objects.checkFromIndexSize(offset, length, srcs.length);
            for (int i = offset; i < offset + length; i++) {
                refuseAfterShutdown(srcs[i].hasRemaining());
            }
        }
        return writeTo(socket, srcs, offset, length);
    }

    /** The JDK asks the system, and reports its answer under various names. */
    private void refuseAfterShutdown(boolean hasRemaining) throws IOException {
        if (outputShut && hasRemaining) {
            ensureOpen();
            throw SocketError.BROKEN_PIPE.exception("write to " + this);
        }
    }

    @Override
    public void shutdownOutput() throws IOException {
        ensureOpen();
        if (connectFailure != null) {
            throw again();
        }
        if (connecting) {
            throw new NotYetConnectedException();
        }
        if (outputShut) {
            return;
        }
        try {
            socket.shutdownOutput();
        } catch (ClosedChannelException e) {
            throw closed(e);
        } catch (IOException e) {
            SocketError error = NioErrors.classify(e);
            if (error != SocketError.RESET && error != SocketError.BROKEN_PIPE) {
                throw NioErrors.map("shut down output of " + this, e);
            }
        }
        outputShut = true;
    }

    // ---- addresses and options

    @Override
    public @Nullable SocketAddress localAddress() throws IOException {
        ensureOpen();
        if (local != null || hasFailed()) {
            return local;
        }
        try {
            return socket.getLocalAddress();
        } catch (ClosedChannelException e) {
            throw closed(e);
        }
    }

    @Override
    public SocketAddress remoteAddress() {
        return remote;
    }

    @Override
    public <T> void setOption(SocketOption<T> option, T value) throws IOException {
        checkOption(option);
        try {
            socket.setOption(option, value);
        } catch (ClosedChannelException e) {
            throw hasFailed() ? again() : closed(e);
        } catch (IOException e) {
            throw NioErrors.map("set " + option.name() + " of " + this, e);
        }
    }

    @Override
    public <T> T getOption(SocketOption<T> option) throws IOException {
        checkOption(option);
        try {
            return socket.getOption(option);
        } catch (ClosedChannelException e) {
            throw hasFailed() ? again() : closed(e);
        } catch (IOException e) {
            throw NioErrors.map("get " + option.name() + " of " + this, e);
        }
    }

    private void checkOption(SocketOption<?> option) throws IOException {
        Objects.requireNonNull(option, "option");
        ensureOpen();
        StreamOptions.requireSupported(this, option);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return socket.supportedOptions();
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
        return (isBorrowed() ? "adopted " : "") + (unix ? "unix stream " : "tcp stream ") + Addresses.text(local) + "->"
                + Addresses.text(remote);
    }
}
