package io.thrust.net;

import io.thrust.EventLoop;
import io.thrust.log.Log;
import io.thrust.poll.ConnectOptions;
import io.thrust.poll.InputSource;
import io.thrust.poll.Interest;
import io.thrust.poll.StreamSource;
import io.thrust.reactor.Registration;
import io.thrust.task.AbstractAsync;
import io.thrust.task.Async;
import io.thrust.task.Budget;
import io.thrust.task.Waker;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A TCP connection, IPv4 or IPv6. Belongs to its loop: all methods are called on the loop's thread. Closing the loop
 * closes it.
 *
 * <p>In each direction one operation may be under way at a time; a second one fails with an {@link
 * IllegalStateException}. Cancelling an operation loses nothing: the buffer's position tells what was transferred, and
 * the stream goes on. Buffers should be direct: heap buffers are copied. Every operation fails with {@link
 * io.thrust.poll.SourceClosedException} once the stream is closed, {@link io.thrust.poll.ConnectionResetException} if the
 * peer reset the connection, and writes with {@link io.thrust.poll.BrokenPipeException} if the peer no longer reads.
 */
public final class TcpStream implements Closeable {
    /** Returned by {@link #pollRead} at the end of the stream. */
    public static final int END_OF_STREAM = InputSource.END_OF_STREAM;

    /** Returned by {@link #pollRead} and {@link #pollWrite} if nothing was transferred: the waker will be woken. */
    public static final int PENDING = InputSource.WOULD_BLOCK;

    private static final Log LOG = new Log("io.thrust.net");

    private final StreamSource source;
    private final Registration registration;
    private final Budget budget;

    private TcpStream(EventLoop loop, StreamSource source, Registration registration) {
        this.source = source;
        this.registration = registration;
        this.budget = loop.executor().budget();
    }

    /** Takes the source over: it is closed if this fails. */
    static TcpStream register(EventLoop loop, StreamSource source, Interest interest) throws IOException {
        try {
            return new TcpStream(loop, source, loop.register(source, interest));
        } catch (Throwable t) {
            Sources.closeAfter(t, source);
            throw t;
        }
    }

    /** Connects with {@link ConnectOptions#DEFAULT}. */
    public static Async<TcpStream> connect(InetSocketAddress remote) {
        return connect(remote, ConnectOptions.DEFAULT);
    }

    /**
     * Connects, on the loop that polls. Fails with a {@link java.net.ConnectException} that names the address if the
     * connection is refused or times out, and with {@link java.nio.channels.UnresolvedAddressException} if the address is
     * an unresolved name. Cancelling it closes the socket.
     */
    public static Async<TcpStream> connect(InetSocketAddress remote, ConnectOptions options) {
        return new Connect(remote, options);
    }

    // ---- reading

    /**
     * Reads what is there, at least one byte, at most what the buffer has room for; waits if nothing is there.
     *
     * @return the number of bytes read; 0 if and only if the buffer has no room; {@link #END_OF_STREAM}
     */
    public Async<Integer> read(ByteBuffer dst) {
        return new Read(Objects.requireNonNull(dst, "dst"));
    }

    /**
     * {@link #read} for those who write an {@link Async} of their own; nothing is allocated.
     *
     * @param waker woken after {@link #PENDING}. It stands for the operation: as long as it waits, a read with another
     *     waker is refused; {@link #cancelRead} gives up
     * @return as {@link #read}, or {@link #PENDING}
     */
    public int pollRead(ByteBuffer dst, Waker waker) throws IOException {
        return pollRead(waker, dst, waker);
    }

    /** Gives up a {@link #pollRead} that is pending with this waker. */
    public void cancelRead(Waker waker) {
        registration.releaseRead(waker);
    }

    private int pollRead(Object operation, ByteBuffer dst, Waker waker) throws IOException {
        Registration registration = this.registration;
        int room = dst.remaining();
        if (room == 0 && registration.isOpen()) {
            return 0;
        }
        while (registration.pollReadable(operation, waker)) {
            if (!budget.take(waker)) {
                registration.holdRead(operation);
                return PENDING;
            }
            int read = source.read(dst);
            if (read != InputSource.WOULD_BLOCK) {
                registration.touch();
                if (read < room && read > 0) {
                    registration.clearReadableAfterShortRead(source);
                }
                return read;
            }
            budget.giveBack();
            registration.clearReadable();
        }
        return PENDING;
    }

    // ---- writing

    /**
     * Writes some of what remains in the buffer, at least one byte; waits if the send buffer is full.
     *
     * @return the number of bytes written; 0 if and only if nothing remains
     */
    public Async<Integer> write(ByteBuffer src) {
        return new Write(Objects.requireNonNull(src, "src"));
    }

    /** Writes all that remains in the buffer. */
    public Async<@Nullable Void> writeAll(ByteBuffer src) {
        return new WriteAll(Objects.requireNonNull(src, "src"));
    }

    /**
     * Gathering write: writes some of what remains in the buffers, in their order.
     *
     * @return the number of bytes written; 0 if and only if nothing remains
     */
    public Async<Long> write(ByteBuffer[] srcs) {
        return new Gather(srcs.clone(), false);
    }

    /** Gathering write: writes all that remains in the buffers, in their order. */
    public Async<Long> writeAll(ByteBuffer[] srcs) {
        return new Gather(srcs.clone(), true);
    }

    /**
     * {@link #write(ByteBuffer)} for those who write an {@link Async} of their own; nothing is allocated.
     *
     * @param waker as for {@link #pollRead}; see {@link #cancelWrite}
     * @return as {@link #write(ByteBuffer)}, or {@link #PENDING}
     */
    public int pollWrite(ByteBuffer src, Waker waker) throws IOException {
        return pollWrite(waker, src, waker);
    }

    /** Gives up a {@link #pollWrite} that is pending with this waker. */
    public void cancelWrite(Waker waker) {
        registration.releaseWrite(waker);
    }

    private int pollWrite(Object operation, ByteBuffer src, Waker waker) throws IOException {
        Registration registration = this.registration;
        int remaining = src.remaining();
        if (remaining == 0 && registration.isOpen()) {
            return 0;
        }
        while (registration.pollWritable(operation, waker)) {
            if (!budget.take(waker)) {
                registration.holdWrite(operation);
                return PENDING;
            }
            int written = source.write(src);
            if (written == remaining) {
                registration.touch();
                return written;
            }
            registration.clearWritable();
            if (written != InputSource.WOULD_BLOCK) {
                registration.touch();
                return written;
            }
            budget.giveBack();
        }
        return PENDING;
    }

    private long pollGather(Object operation, ByteBuffer[] srcs, int offset, Waker waker) throws IOException {
        Registration registration = this.registration;
        if (!hasRemaining(srcs, offset) && registration.isOpen()) {
            return 0;
        }
        while (registration.pollWritable(operation, waker)) {
            if (!budget.take(waker)) {
                registration.holdWrite(operation);
                return PENDING;
            }
            long written = source.write(srcs, offset, srcs.length - offset);
            if (written != InputSource.WOULD_BLOCK) {
                // Fewer than all may be due to a limit on the number of buffers: it does not mean that the socket is
                // full.
                registration.touch();
                return written;
            }
            budget.giveBack();
            registration.clearWritable();
        }
        return PENDING;
    }

    private static boolean hasRemaining(ByteBuffer[] srcs, int offset) {
        for (int i = offset; i < srcs.length; i++) {
            if (srcs[i].hasRemaining()) {
                return true;
            }
        }
        return false;
    }

    // ---- the rest

    /**
     * Ends the outgoing direction: the peer reads what was written, then the end of the stream; reading goes on. A second
     * call does nothing; a write afterwards fails with {@link io.thrust.poll.BrokenPipeException}.
     */
    public void shutdownOutput() throws IOException {
        source.shutdownOutput();
    }

    /**
     * From now on a read or write that has to wait fails with {@link io.thrust.reactor.IdleTimeoutException} once nothing
     * was transferred for this long, in either direction, since it began to wait. The stream stays open. Time is taken at
     * the turns of the loop: it may fail earlier by as long as one turn takes.
     *
     * @param timeout positive, or zero for none, which is how a stream begins
     */
    public TcpStream setIdleTimeout(Duration timeout) {
        if (timeout.isNegative()) {
            throw new IllegalArgumentException(
                    "the idle timeout is " + timeout + ", but must be positive, or zero for none");
        }
        registration.setIdleTimeout(timeout);
        return this;
    }

    /** The local address, or null if the system knows none any more. */
    public @Nullable InetSocketAddress localAddress() throws IOException {
        return (InetSocketAddress) source.localAddress();
    }

    /** The address of the peer; it stays known after the peer has gone. */
    public InetSocketAddress remoteAddress() {
        return (InetSocketAddress) source.remoteAddress();
    }

    /** See {@link StreamSource#setOption}. */
    public <T> TcpStream setOption(SocketOption<T> option, T value) throws IOException {
        source.setOption(option, value);
        return this;
    }

    /** See {@link StreamSource#getOption}. */
    public <T> T getOption(SocketOption<T> option) throws IOException {
        return source.getOption(option);
    }

    /** See {@link StreamSource#supportedOptions}. */
    public Set<SocketOption<?>> supportedOptions() {
        return source.supportedOptions();
    }

    public boolean isOpen() {
        return registration.isOpen();
    }

    /**
     * Closes the connection. What was written is still sent; operations under way fail with {@link
     * io.thrust.poll.SourceClosedException}. Closing a closed stream does nothing.
     */
    @Override
    public void close() throws IOException {
        registration.close();
    }

    void closeQuietly() {
        try {
            close();
        } catch (IOException | RuntimeException e) {
            LOG.warning(() -> "closing " + this + " failed", e);
        }
    }

    StreamSource source() {
        return source;
    }

    Registration registration() {
        return registration;
    }

    @Override
    public String toString() {
        return source.toString();
    }

    private final class Read extends AbstractAsync<Integer> {
        private final ByteBuffer dst;
        private int read;

        Read(ByteBuffer dst) {
            this.dst = dst;
        }

        @Override
        protected boolean advance(Waker waker) throws IOException {
            read = pollRead(this, dst, waker);
            return read != TcpStream.PENDING;
        }

        @Override
        protected Integer value() {
            return read;
        }

        @Override
        protected void release() {
            registration.releaseRead(this);
        }
    }

    /** What the operations on the outgoing direction share. */
    private abstract class Outgoing<T extends @Nullable Object> extends AbstractAsync<T> {
        @Override
        protected final void release() {
            registration.releaseWrite(this);
        }
    }

    private final class Write extends Outgoing<Integer> {
        private final ByteBuffer src;
        private int written;

        Write(ByteBuffer src) {
            this.src = src;
        }

        @Override
        protected boolean advance(Waker waker) throws IOException {
            written = pollWrite(this, src, waker);
            return written != TcpStream.PENDING;
        }

        @Override
        protected Integer value() {
            return written;
        }
    }

    private final class WriteAll extends Outgoing<@Nullable Void> {
        private final ByteBuffer src;

        WriteAll(ByteBuffer src) {
            this.src = src;
        }

        @Override
        protected boolean advance(Waker waker) throws IOException {
            do {
                if (pollWrite(this, src, waker) == TcpStream.PENDING) {
                    return false;
                }
            } while (src.hasRemaining());
            return true;
        }

        @Override
        protected @Nullable Void value() {
            return null;
        }
    }

    private final class Gather extends Outgoing<Long> {
        private final ByteBuffer[] srcs;
        private final boolean all;
        private int offset;
        private long written;

        Gather(ByteBuffer[] srcs, boolean all) {
            this.srcs = srcs;
            this.all = all;
        }

        @Override
        protected boolean advance(Waker waker) throws IOException {
            do {
                long now = pollGather(this, srcs, offset, waker);
                if (now == TcpStream.PENDING) {
                    return false;
                }
                written += now;
                while (offset < srcs.length && !srcs[offset].hasRemaining()) {
                    offset++;
                }
            } while (all && offset < srcs.length);
            return true;
        }

        @Override
        protected Long value() {
            return written;
        }
    }
}
