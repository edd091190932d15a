package io.thrust.tck.netty;

import io.netty.channel.ChannelException;
import io.netty.channel.unix.Socket;
import io.thrust.poll.Interest;
import io.thrust.poll.StreamSource;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.NotYetConnectedException;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A TCP or Unix domain stream. */
final class NettyStream extends NettySource implements StreamSource {
    private static final Set<SocketOption<?>> UNIX_OPTIONS =
            Set.of(StandardSocketOptions.SO_LINGER, StandardSocketOptions.SO_SNDBUF, StandardSocketOptions.SO_RCVBUF);
    private static final Set<SocketOption<?>> TCP_OPTIONS = Set.of(
            StandardSocketOptions.TCP_NODELAY,
            StandardSocketOptions.SO_KEEPALIVE,
            StandardSocketOptions.SO_LINGER,
            StandardSocketOptions.SO_SNDBUF,
            StandardSocketOptions.SO_RCVBUF,
            StandardSocketOptions.SO_REUSEADDR,
            StandardSocketOptions.SO_REUSEPORT);

    /** The system keeps it in 16 bits. */
    private static final int MAX_LINGER = 32_767;

    private final Socket socket;
    private final SocketAddress remote;
    /** Of a Unix domain stream; one of TCP asks the system. */
    private final @Nullable UnixDomainSocketAddress unixLocal;
    /** The file that this stream is bound to itself, or null. */
    private final @Nullable NettySocketFile file;

    private boolean connected;
    /** The error number with which the connect failed, or 0; the kernel tells it once. */
    private int connectFailedBy;

    private boolean outputShutDown;

    NettyStream(
            NettyKqueueProvider provider,
            Socket socket,
            SocketAddress remote,
            @Nullable UnixDomainSocketAddress unixLocal,
            @Nullable NettySocketFile file,
            boolean connected) {
        super(provider, socket);
        this.socket = socket;
        this.remote = remote;
        this.unixLocal = unixLocal;
        this.file = file;
        this.connected = connected;
    }

    @Override
    public Interest directions() {
        return Interest.READ_WRITE;
    }

    @Override
    boolean hasShutDownOutput() {
        return outputShutDown;
    }

    private boolean isUnix() {
        return unixLocal != null;
    }

    @Override
    public boolean finishConnect() throws IOException {
        ensureOpen();
        if (connected) {
            return true;
        }
        if (connectFailedBy == 0) {
            try {
                connectFailedBy = socket.getSoError();
            } catch (IOException | ChannelException e) {
                throw NettyErrors.of("connect to " + NettySockets.text(remote), e);
            }
            if (connectFailedBy == 0) {
                // No error is no connection yet: the system must know the peer too.
                connected = isUnix() ? socket.remoteDomainSocketAddress() != null : socket.remoteAddress() != null;
                connectFailedBy = connected ? 0 : eofError();
            }
        }
        if (connectFailedBy != 0) {
            throw NettyErrors.of("connect to " + NettySockets.text(remote), connectFailedBy);
        }
        return connected;
    }

    private void ensureConnected() throws IOException {
        ensureOpen();
        if (!connected) {
            throw new NotYetConnectedException();
        }
    }

    @Override
    public int read(ByteBuffer dst) throws IOException {
        ensureConnected();
        return NettyTransfer.read(this, dst);
    }

    @Override
    public boolean isDrainedByShortRead() {
        return false;
    }

    @Override
    public int write(ByteBuffer src) throws IOException {
        ensureConnected();
        return NettyTransfer.write(this, src);
    }

    @Override
    public long write(ByteBuffer[] srcs, int offset, int length) throws IOException {
        ensureConnected();
        return NettyTransfer.write(this, srcs, offset, length);
    }

    @Override
    public void shutdownOutput() throws IOException {
        ensureConnected();
        if (outputShutDown) {
            return;
        }
        outputShutDown = true;
        try {
            socket.shutdown(false, true);
        } catch (NotYetConnectedException e) {
            // It was connected: the peer has reset it, and there is nothing left to shut down.
        } catch (IOException | ChannelException e) {
            throw NettyErrors.of("shut down the output of " + this, e);
        }
    }

    @Override
    public @Nullable SocketAddress localAddress() throws IOException {
        ensureOpen();
        return unixLocal != null ? unixLocal : NettySockets.plain(socket.localAddress());
    }

    @Override
    public SocketAddress remoteAddress() {
        return remote;
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return isUnix() ? UNIX_OPTIONS : TCP_OPTIONS;
    }

    private void check(SocketOption<?> option) throws IOException {
        ensureOpen();
        if (!supportedOptions().contains(Objects.requireNonNull(option, "option"))) {
            throw new UnsupportedOperationException(
                    this + " has no option " + option.name() + ", but " + supportedOptions());
        }
    }

    @Override
    public <T> void setOption(SocketOption<T> option, T value) throws IOException {
        check(option);
        if (value == null) {
            throw new IllegalArgumentException("the value of " + option.name() + " is null");
        }
        if (option.name().endsWith("BUF") && (Integer) value < 0) {
            throw new IllegalArgumentException(option.name() + " is " + value + " bytes, but must be 0 or more");
        }
        try {
            switch (option.name()) {
                case "TCP_NODELAY" -> socket.setTcpNoDelay((Boolean) value);
                case "SO_KEEPALIVE" -> socket.setKeepAlive((Boolean) value);
                case "SO_LINGER" -> socket.setSoLinger(Math.min((Integer) value, MAX_LINGER));
                case "SO_SNDBUF" -> socket.setSendBufferSize((Integer) value);
                case "SO_RCVBUF" -> socket.setReceiveBufferSize((Integer) value);
                case "SO_REUSEADDR" -> socket.setReuseAddress((Boolean) value);
                default -> socket.setReusePort((Boolean) value);
            }
        } catch (IOException | ChannelException e) {
            throw NettyErrors.of("set option " + option.name() + " of " + this, e);
        }
    }

    @Override
    public <T> T getOption(SocketOption<T> option) throws IOException {
        check(option);
        try {
            Object value = switch (option.name()) {
                case "TCP_NODELAY" -> socket.isTcpNoDelay();
                case "SO_KEEPALIVE" -> socket.isKeepAlive();
                case "SO_LINGER" -> socket.getSoLinger();
                case "SO_SNDBUF" -> socket.getSendBufferSize();
                case "SO_RCVBUF" -> socket.getReceiveBufferSize();
                case "SO_REUSEADDR" -> socket.isReuseAddress();
                default -> socket.isReusePort();
            };
            return option.type().cast(value);
        } catch (IOException | ChannelException e) {
            throw NettyErrors.of("get option " + option.name() + " of " + this, e);
        }
    }

    @Override
    protected void release() throws IOException {
        try {
            NettySocketFile.delete(file);
        } finally {
            super.release();
        }
    }

    @Override
    public String toString() {
        String local = "?";
        if (unixLocal != null) {
            local = NettySockets.text(unixLocal);
        } else if (isOpen()) {
            SocketAddress found = NettySockets.plain(socket.localAddress());
            local = found == null ? "?" : NettySockets.text(found);
        }
        return (isUnix() ? "unix" : "tcp") + " stream " + local + "->" + NettySockets.text(remote);
    }
}
