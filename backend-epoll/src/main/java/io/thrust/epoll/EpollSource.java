package io.thrust.epoll;

import io.netty.channel.IoRegistration;
import io.netty.channel.unix.FileDescriptor;
import io.thrust.poll.Interest;
import io.thrust.poll.Mode;
import io.thrust.poll.spi.AbstractSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A file descriptor that an {@link EpollPoller} watches. Once it is closed nothing uses the number any more. */
abstract class EpollSource extends AbstractSource {
    final FileDescriptor fd;

    /** The place in the kernel's set; null without interest. Written by the poller. */
    @Nullable IoRegistration registration;

    /**
     * The error that broke the connection, or 0. The kernel tells it once, to a read or a write, and the next read would
     * find the end of the stream, as if the peer had sent all.
     */
    private int lostBy;

    EpollSource(EpollProvider provider, FileDescriptor fd) {
        super(provider);
        this.fd = fd;
    }

    final Interest interest() {
        return registeredInterest();
    }

    final Mode mode() {
        return registeredMode();
    }

    @Override
    protected final Object identity() {
        return fd.intValue();
    }

    @Override
    protected void release() throws IOException {
        try {
            fd.close();
        } catch (IOException e) {
            throw Failures.of("close " + this, e);
        }
    }

    /** The exception for a failed read or write of the descriptor. */
    final IOException failed(String operation, IOException cause) {
        int errno = Failures.errno(cause);
        if (Failures.breaksConnection(errno)) {
            lostBy = errno;
        }
        return Failures.of(operation + " " + this, cause);
    }

    /** At the end of the stream: throws if it is no orderly one. */
    final void checkOrderlyEnd() throws IOException {
        if (lostBy != 0) {
            throw Failures.ofErrno("read from " + this, lostBy);
        }
    }

    /** The address of index 0 of a buffer that is read into, or {@link BufferAddress#UNKNOWN}. */
    final long readAddress(ByteBuffer direct) {
        return registeredWith() instanceof EpollPoller poller ? poller.readBuffer.of(direct) : BufferAddress.UNKNOWN;
    }

    /** The address of index 0 of a buffer that is written from, or {@link BufferAddress#UNKNOWN}. */
    final long writeAddress(ByteBuffer direct) {
        return registeredWith() instanceof EpollPoller poller ? poller.writeBuffer.of(direct) : BufferAddress.UNKNOWN;
    }
}
