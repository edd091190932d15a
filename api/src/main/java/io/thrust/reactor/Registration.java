package io.thrust.reactor;

import io.thrust.poll.InputSource;
import io.thrust.poll.Interest;
import io.thrust.poll.Mode;
import io.thrust.poll.Source;
import io.thrust.poll.SourceClosedException;
import io.thrust.task.Waker;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The readiness of one source, and who waits for it. Each direction has one slot, for the operation under way and its
 * waker.
 *
 * <p>An operation asks {@link #pollReadable} (or {@link #pollWritable}); if the answer is true it tries the system call;
 * if that would block it says so by {@link #clearReadable} (or {@link #clearWritable}) and asks again. An operation that
 * is given up calls {@link #releaseRead} (or {@link #releaseWrite}). All on the reactor's thread.
 */
public final class Registration {
    private static final int READABLE = 1;
    private static final int WRITABLE = 1 << 1;
    private static final int HANGUP = 1 << 2;
    private static final int CLOSED = 1 << 3;

    private final Reactor reactor;
    private final Source source;
    private final long key;
    private Interest interest;
    private int state;

    private @Nullable Object readOperation;
    private @Nullable Waker readWaker;
    private @Nullable Object writeOperation;
    private @Nullable Waker writeWaker;

    private @Nullable IdleTimer idle;

    Registration(Reactor reactor, Source source, long key, Interest interest) {
        this.reactor = reactor;
        this.source = source;
        this.key = key;
        this.interest = interest;
        Interest assumed = Interest.READ_WRITE.without(interest);
        state = (assumed.includesRead() ? READABLE : 0) | (assumed.includesWrite() ? WRITABLE : 0);
    }

    long key() {
        return key;
    }

    /** The source that is watched. */
    public Source source() {
        return source;
    }

    /** Whether this registration and its source were not closed yet. */
    public boolean isOpen() {
        return (state & CLOSED) == 0;
    }

    /**
     * Whether a hang-up was seen: end of stream, reset, error or urgent data. From then on a short read does not mean
     * that the source is drained.
     */
    public boolean isHangup() {
        return (state & HANGUP) != 0;
    }

    /**
     * Asks whether a read may make progress. If not, the operation takes the slot of its direction, and the waker is
     * woken when it may.
     *
     * @param operation who asks, told from others by identity
     * @return true if a read may make progress; the slot is free then
     * @throws IllegalStateException if another operation is under way in this direction
     * @throws SourceClosedException if the source was closed
     * @throws IdleTimeoutException if the operation has waited and the idle timeout has passed; it has the slot no more
     */
    public boolean pollReadable(Object operation, Waker waker) throws IOException {
        ensureOpen();
        if (readOperation != null && readOperation != operation) {
            throw occupied("read");
        }
        if ((state & READABLE) != 0) {
            readOperation = null;
            readWaker = null;
            return true;
        }
        IdleTimer idle = this.idle;
        if (idle != null) {
            if (readOperation != operation) {
                idle.begin();
            } else if (idle.isReadExpired()) {
                releaseRead(operation);
                throw idle.late();
            }
        }
        readOperation = operation;
        readWaker = waker;
        return false;
    }

    /** As {@link #pollReadable}, for writes. */
    public boolean pollWritable(Object operation, Waker waker) throws IOException {
        ensureOpen();
        if (writeOperation != null && writeOperation != operation) {
            throw occupied("write");
        }
        if ((state & WRITABLE) != 0) {
            writeOperation = null;
            writeWaker = null;
            return true;
        }
        IdleTimer idle = this.idle;
        if (idle != null) {
            if (writeOperation != operation) {
                idle.begin();
            } else if (idle.isWriteExpired()) {
                releaseWrite(operation);
                throw idle.late();
            }
        }
        writeOperation = operation;
        writeWaker = waker;
        return false;
    }

    /** Says that a read (or an accept) found that it would block: the next readiness is reported again. */
    public void clearReadable() throws IOException {
        if ((state & CLOSED) != 0) {
            return;
        }
        // Watched first: if that fails the next operation tries again, instead of waiting for what nobody watches.
        watch(Interest.READ);
        state &= ~READABLE;
    }

    /** Says that a write found that it would block, or wrote less than all. */
    public void clearWritable() throws IOException {
        if ((state & CLOSED) != 0) {
            return;
        }
        watch(Interest.WRITE);
        state &= ~WRITABLE;
    }

    /**
     * Says that a read returned fewer bytes than there was room for; takes that as would-block where it means so.
     */
    public void clearReadableAfterShortRead(InputSource input) throws IOException {
        if ((state & HANGUP) == 0 && input.isDrainedByShortRead()) {
            clearReadable();
        }
    }

    private void watch(Interest direction) throws IOException {
        if (interest.includes(direction)) {
            reactor.poller().rearm(source, direction);
        } else {
            // The direction was assumed to be ready so far.
            Interest wider = interest.union(direction);
            reactor.poller().modify(source, key, wider, Mode.EDGE);
            interest = wider;
        }
    }

    /**
     * Takes the slot of reads for an operation that puts itself off though it could go on, having woken its own task.
     */
    public void holdRead(Object operation) {
        readOperation = operation;
    }

    /** As {@link #holdRead}, for writes. */
    public void holdWrite(Object operation) {
        writeOperation = operation;
    }

    /** Frees the slot of reads if this operation holds it. */
    public void releaseRead(Object operation) {
        if (readOperation == operation) {
            readOperation = null;
            readWaker = null;
        }
    }

    /** Frees the slot of writes if this operation holds it. */
    public void releaseWrite(Object operation) {
        if (writeOperation == operation) {
            writeOperation = null;
            writeWaker = null;
        }
    }

    /**
     * From now on an operation that waits fails with {@link IdleTimeoutException} once {@link #touch} was not called for
     * this long since it began to wait.
     *
     * @param timeout positive, or zero for none
     */
    public void setIdleTimeout(Duration timeout) {
        IdleTimer before = idle;
        if (before != null) {
            before.stop();
            idle = null;
        }
        if (!timeout.isZero() && isOpen()) {
            IdleTimer idle = new IdleTimer(reactor, this, nanos(timeout));
            this.idle = idle;
            if (isWaiting()) {
                idle.begin();
            }
        }
    }

    private static long nanos(Duration timeout) {
        try {
            return Math.min(timeout.toNanos(), TimerQueue.MOST_NANOS);
        } catch (ArithmeticException e) {
            return TimerQueue.MOST_NANOS;
        }
    }

    /** Says that something was transferred, for the idle timeout. */
    public void touch() {
        IdleTimer idle = this.idle;
        if (idle != null) {
            idle.touch();
        }
    }

    /** Whether an operation has a slot, woken already or not. */
    boolean isWaiting() {
        return readOperation != null || writeOperation != null;
    }

    boolean isReaderWaiting() {
        return readWaker != null;
    }

    boolean isWriterWaiting() {
        return writeWaker != null;
    }

    void wakeWaiting() {
        wakeReader();
        wakeWriter();
    }

    /** By the reactor; an operation keeps its slot until it is polled or gives up. */
    void onReady(boolean readable, boolean writable, boolean hangup) {
        state |= (readable ? READABLE : 0) | (writable ? WRITABLE : 0) | (hangup ? HANGUP : 0);
        if (readable) {
            wakeReader();
        }
        if (writable) {
            wakeWriter();
        }
    }

    private void wakeReader() {
        Waker waker = readWaker;
        if (waker != null) {
            readWaker = null;
            Reactor.wake(waker);
        }
    }

    private void wakeWriter() {
        Waker waker = writeWaker;
        if (waker != null) {
            writeWaker = null;
            Reactor.wake(waker);
        }
    }

    /**
     * Deregisters and closes the source. Operations under way are woken and fail with {@link SourceClosedException}.
     * Closing a closed registration does nothing.
     *
     * @throws IOException if the system reported an error; the source counts as closed nevertheless
     */
    public void close() throws IOException {
        if ((state & CLOSED) != 0) {
            return;
        }
        try {
            source.close();
        } finally {
            if (!source.isOpen()) {
                abandon();
            }
        }
    }

    /** Counts as closed from now on, whatever the source says; whoever waits is woken and finds it so. */
    void abandon() {
        if ((state & CLOSED) == 0) {
            state |= CLOSED;
            reactor.remove(this);
            if (idle != null) {
                idle.stop();
            }
            wakeReader();
            wakeWriter();
        }
    }

    private void ensureOpen() throws SourceClosedException {
        if ((state & CLOSED) != 0) {
            throw new SourceClosedException(source + " is closed");
        }
    }

    private IllegalStateException occupied(String direction) {
        return new IllegalStateException("another " + direction + " is under way on " + source
                + "; wait for it or cancel it first: there is one at a time in each direction");
    }
}
