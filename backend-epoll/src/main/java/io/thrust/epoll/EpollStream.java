package io.thrust.epoll;

import io.netty.channel.ChannelException;
import io.netty.channel.epoll.LinuxSocket;
import io.netty.channel.unix.FileDescriptor;
import io.thrust.poll.Interest;
import io.thrust.poll.StreamSource;
import java.io.IOException;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.NotYetConnectedException;
import org.jspecify.annotations.Nullable;

/** A stream socket. Reading and writing wait for {@link #finishConnect} to have said so, as with java.nio's channels. */
abstract class EpollStream extends EpollSource implements StreamSource {
    private boolean connected;
    /** The error number with which the connect failed, or 0; the kernel tells it once. */
    private int connectFailedBy;

    private boolean outputShutDown;
    /** What calls that are rare go through; made when needed, because making one costs a system call. */
    private @Nullable LinuxSocket socket;

    EpollStream(EpollProvider provider, FileDescriptor fd, boolean connected) {
        super(provider, fd);
        this.connected = connected;
        this.socket = fd instanceof LinuxSocket opened ? opened : null;
    }

    /** Whether the system knows the peer, which it does not before the connection is there. */
    abstract boolean hasPeer(LinuxSocket socket);

    /** The remote address for messages. */
    abstract String remoteText();

    @Override
    public final Interest directions() {
        return Interest.READ_WRITE;
    }

    /** The calls on sockets for this open stream. */
    final LinuxSocket socket() {
        LinuxSocket present = socket;
        if (present == null) {
            present = LinuxSocket.newSocket(fd.intValue());
            socket = present;
        }
        return present;
    }

    final boolean isConnected() {
        return connected;
    }

    @Override
    public final boolean finishConnect() throws IOException {
        ensureOpen();
        if (connected) {
            return true;
        }
        if (connectFailedBy == 0) {
            LinuxSocket asked = socket();
            try {
                connectFailedBy = asked.getSoError();
            } catch (IOException | ChannelException e) {
                throw Failures.of("connect to " + remoteText(), e);
            }
            if (connectFailedBy == 0) {
                // No error is no connection yet: the system must know the peer too.
                connected = hasPeer(asked);
                return connected;
            }
        }
        throw Failures.ofErrno("connect to " + remoteText(), connectFailedBy);
    }

    private void ensureConnected() throws IOException {
        ensureOpen();
        if (!connected) {
            throw new NotYetConnectedException();
        }
    }

    @Override
    public final int read(ByteBuffer dst) throws IOException {
        ensureConnected();
        return Transfer.read(this, dst);
    }

    @Override
    public final int write(ByteBuffer src) throws IOException {
        ensureConnected();
        return Transfer.write(this, src);
    }

    @Override
    public final long write(ByteBuffer[] srcs, int offset, int length) throws IOException {
        ensureConnected();
        return Transfer.write(this, srcs, offset, length);
    }

    @Override
    public final void shutdownOutput() throws IOException {
        ensureConnected();
        if (outputShutDown) {
            return;
        }
        outputShutDown = true;
        try {
            socket().shutdown(false, true);
        } catch (NotYetConnectedException e) {
            // It was connected: the peer has reset it, and there is nothing left to shut down.
        } catch (IOException | ChannelException e) {
            throw Failures.of("shut down the output of " + this, e);
        }
    }

    @Override
    public final <T> void setOption(SocketOption<T> option, T value) throws IOException {
        ensureOpen();
        SocketOptions.set(this, option, value);
    }

    @Override
    public final <T> T getOption(SocketOption<T> option) throws IOException {
        ensureOpen();
        return SocketOptions.get(this, option);
    }
}
