package io.thrust.kqueue;

import io.thrust.poll.Interest;
import io.thrust.poll.Mode;
import io.thrust.poll.SourceClosedException;
import io.thrust.poll.spi.AbstractSource;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A file descriptor that a {@link KqueuePoller} watches. Each operation on it stands between {@link #enter} and {@link
 * #leave}; whoever leaves last after {@link #close} closes the descriptor. So nothing ever uses a number that may belong
 * to another file already.
 */
abstract class KqueueSource extends AbstractSource {
    /** {@link #close} was called. The lower bits count the operations under way. */
    private static final int CLOSING = 1 << 31;
    /** Somebody took it upon himself to close the descriptor. */
    private static final int CLOSED = 1 << 30;

    private static final VarHandle USE;

    static {
        try {
            USE = MethodHandles.lookup().findVarHandle(KqueueSource.class, "use", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final KqueueProvider provider;
    final Kernel kernel;
    final int fd;

    private volatile int use;

    // Of the registration; used by the poller alone.

    /** What the kernel's events carry; see {@link SourceTable}. */
    long token;
    /** In mode ONE_SHOT: nothing was reported since the last registration or modification. */
    boolean armed;
    /** Where it stands in the poller's list of write filters to enable, or -1. */
    int rearmIndex = -1;
    /** Where it stands in the poller's list of broken writers, or -1: the kernel refused the write filter with EPIPE. */
    int brokenIndex = -1;
    /** Of a broken writer: that is to be reported. */
    boolean brokenDue;

    /** How many of the bytes that the last event told of were not read yet, at most. */
    long available;

    /**
     * The error that broke the connection, or 0. The kernel tells it once, to a read or a write, and the next read would
     * find the end of the stream, as if the peer had sent all.
     */
    private int lostBy;

    /**
     * The error that the last event with EV_EOF told of, or 0. A BSD tells it to the operation too; libkqueue takes it from
     * the socket when it makes the event.
     */
    private int eofError;

    KqueueSource(KqueueProvider provider, Kernel kernel, int fd) {
        super(provider);
        this.provider = provider;
        this.kernel = kernel;
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
        return fd;
    }

    /** Begins an operation on the descriptor, which stays open until {@link #leave}. */
    final void enter() throws SourceClosedException {
        if ((int) USE.getAndAdd(this, 1) < 0) {
            leave();
            throw new SourceClosedException(this + " is closed");
        }
    }

    /** Ends what {@link #enter} began. */
    final void leave() {
        if ((int) USE.getAndAdd(this, -1) - 1 == CLOSING && claimClosing()) {
            closeDescriptor();
        }
    }

    private boolean claimClosing() {
        return USE.compareAndSet(this, CLOSING, CLOSING | CLOSED);
    }

    @Override
    protected void release() throws IOException {
        USE.getAndBitwiseOr(this, CLOSING);
        if (claimClosing()) {
            int result = closeDescriptor();
            // Interrupted or reset, the descriptor is closed all the same.
            if (result < 0 && -result != kernel.numbers().eintr && -result != kernel.numbers().econnreset) {
                throw kernel.failure("close " + this, result);
            }
        }
    }

    /** Closes {@link #fd}; its result is that of the system call. */
    int closeDescriptor() {
        return kernel.syscalls().close(fd);
    }

    /** Whether the end of the stream is a hang-up that the write filter reports, and not our own shutdown. */
    boolean hasShutDownOutput() {
        return false;
    }

    /** Sends bytes of native memory; the result is that of the system call. */
    long send(long address, long count) {
        return kernel.syscalls().write(fd, address, count);
    }

    /** Sends what the scratch's vector names; the result is that of the system call. */
    long sendVector(Scratch scratch) {
        return kernel.syscalls().writev(fd, scratch.vectorAddress(), scratch.vectorLength());
    }

    /** The exception for a failed read or write of the descriptor. */
    final IOException failed(String operation, long result) {
        int errno = (int) -result;
        if (kernel.numbers().breaksConnection(errno)) {
            lostBy = errno;
        }
        return kernel.failure(operation + " " + this, result);
    }

    /** Takes note of the error number that an event with EV_EOF carries; 0 for none. */
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
        if (lostBy == 0 && kernel.numbers().breaksConnection(eofError)) {
            lostBy = eofError;
        }
        if (lostBy != 0) {
            throw kernel.failure("read from " + this, -lostBy);
        }
    }
}
