package io.thrust.tck.netty;

import io.netty.channel.IoRegistration;
import io.netty.channel.unix.FileDescriptor;
import io.thrust.poll.Interest;
import io.thrust.poll.Mode;
import io.thrust.poll.spi.AbstractSource;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A file descriptor that a {@link NettyPoller} watches. */
abstract class NettySource extends AbstractSource {
    final FileDescriptor fd;

    // Of the registration; used by the poller alone.

    @Nullable IoRegistration registration;
    /** In mode ONE_SHOT: nothing was reported since the last registration or modification. */
    boolean armed;
    /** What a {@code kevent} fetched that was no poll, or for which the batch had no place; see {@link NettyPoller}. */
    int kept;
    /** Whether it stands in the list of those with something kept. */
    boolean isKept;
    /** Whether it stands in the list of those whose write filter is to be enabled. */
    boolean isRearmed;
    /** The kernel refuses a write filter, since nobody reads any more. */
    boolean isBroken;

    /** The error that broke the connection, or 0: the kernel tells it once, and an end of stream from then on. */
    private int lostBy;

    private int eofError;

    NettySource(NettyKqueueProvider provider, FileDescriptor fd) {
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
            // Interrupted or reset, the descriptor is closed all the same.
            int errno = NettyErrors.number(e);
            if (errno != NettyErrors.number("EINTR") && errno != NettyErrors.number("ECONNRESET")) {
                throw NettyErrors.of("close " + this, e);
            }
        }
    }

    /** Whether the end of the stream is a hang-up that the write filter reports, and not our own shutdown. */
    boolean hasShutDownOutput() {
        return false;
    }

    /** Whether a write would find that nobody reads; asked when the write filter was added. */
    boolean isReaderGone() {
        return false;
    }

    /** The exception for a failed read or write. */
    final IOException failed(String operation, Exception cause) {
        int errno = NettyErrors.number(cause);
        if (NettyErrors.breaksConnection(errno)) {
            lostBy = errno;
        }
        if (errno == NettyErrors.number("ENOTCONN")) {
            // It was connected: the peer has reset it.
            errno = NettyErrors.number(operation.startsWith("write") ? "EPIPE" : "ECONNRESET");
            return NettyErrors.of(operation + " " + this, errno);
        }
        return NettyErrors.of(operation + " " + this, cause);
    }

    /** Takes note of the error that an event with EV_EOF carries; 0 for none. */
    final void brokenBy(int errno) {
        if (errno != 0) {
            eofError = errno;
        }
    }

    final int eofError() {
        return eofError;
    }

    /** At the end of the stream: throws if it is no orderly one. */
    final void checkOrderlyEnd() throws IOException {
        if (lostBy == 0 && NettyErrors.breaksConnection(eofError)) {
            lostBy = eofError;
        }
        if (lostBy != 0) {
            throw NettyErrors.of("read from " + this, lostBy);
        }
    }
}
