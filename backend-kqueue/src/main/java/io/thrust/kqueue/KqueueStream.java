package io.thrust.kqueue;

import io.thrust.poll.Interest;
import io.thrust.poll.StreamSource;
import java.io.IOException;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.NotYetConnectedException;

/** A stream socket. Reading and writing wait for {@link #finishConnect} to have said so, as with java.nio's channels. */
abstract class KqueueStream extends KqueueSource implements StreamSource {
    private boolean connected;
    /** The error number with which the connect failed, or 0; the kernel tells it once. */
    private int connectFailedBy;

    private boolean outputShutDown;

    KqueueStream(KqueueProvider provider, Kernel kernel, int fd, boolean connected) {
        super(provider, kernel, fd);
        this.connected = connected;
    }

    /** The remote address for messages. */
    abstract String remoteText();

    @Override
    public final Interest directions() {
        return Interest.READ_WRITE;
    }

    final boolean isConnected() {
        return connected;
    }

    @Override
    final boolean hasShutDownOutput() {
        return outputShutDown;
    }

    @Override
    final long send(long address, long count) {
        return kernel.syscalls().send(fd, address, count, kernel.numbers().msgNosignal);
    }

    @Override
    final long sendVector(Scratch scratch) {
        Numbers numbers = kernel.numbers();
        long message = scratch.message(numbers.os == OperatingSystem.LINUX);
        return kernel.syscalls().sendmsg(fd, message, numbers.msgNosignal);
    }

    @Override
    public final boolean finishConnect() throws IOException {
        enter();
        try {
            if (!connected) {
                if (connectFailedBy == 0) {
                    connectFailedBy = pendingError();
                }
                if (connectFailedBy == 0) {
                    // No error is no connection yet: the system must know the peer too.
                    connected = hasPeer();
                    connectFailedBy = connected ? 0 : eofError();
                }
                if (connectFailedBy != 0) {
                    throw Failures.of(kernel.numbers(), "connect to " + remoteText(), connectFailedBy);
                }
            }
            return connected;
        } finally {
            leave();
        }
    }

    private int pendingError() throws IOException {
        Numbers numbers = kernel.numbers();
        int result = SocketCalls.getOption(kernel, fd, numbers.solSocket, numbers.soError, 1);
        if (result < 0) {
            throw kernel.failure("connect to " + remoteText(), result);
        }
        return Scratch.get().value(0);
    }

    private boolean hasPeer() {
        Scratch scratch = Scratch.get();
        scratch.prepareAddress();
        return kernel.syscalls().getpeername(fd, scratch.address(), scratch.lengthAddress()) >= 0;
    }

    private void requireConnected() {
        if (!connected) {
            throw new NotYetConnectedException();
        }
    }

    @Override
    public final int read(ByteBuffer dst) throws IOException {
        enter();
        try {
            requireConnected();
            return Transfer.read(this, dst);
        } finally {
            leave();
        }
    }

    @Override
    public final int write(ByteBuffer src) throws IOException {
        enter();
        try {
            requireConnected();
            return Transfer.write(this, src);
        } finally {
            leave();
        }
    }

    @Override
    public final long write(ByteBuffer[] srcs, int offset, int length) throws IOException {
        enter();
        try {
            requireConnected();
            return Transfer.write(this, srcs, offset, length);
        } finally {
            leave();
        }
    }

    @Override
    public final void shutdownOutput() throws IOException {
        enter();
        try {
            requireConnected();
            if (!outputShutDown) {
                outputShutDown = true;
                int result = kernel.syscalls().shutdown(fd, kernel.numbers().shutWr);
                // It was connected: if it is no more, the peer has reset it, and there is nothing left to shut down.
                if (result < 0 && -result != kernel.numbers().enotconn && -result != kernel.numbers().econnreset) {
                    throw kernel.failure("shut down the output of " + this, result);
                }
            }
        } finally {
            leave();
        }
    }

    @Override
    public final <T> void setOption(SocketOption<T> option, T value) throws IOException {
        enter();
        try {
            SocketOptions.set(this, option, value);
        } finally {
            leave();
        }
    }

    @Override
    public final <T> T getOption(SocketOption<T> option) throws IOException {
        enter();
        try {
            return SocketOptions.get(this, option);
        } finally {
            leave();
        }
    }
}
