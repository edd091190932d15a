package io.thrust.nio;

import io.thrust.poll.InputSource;
import io.thrust.poll.Interest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SelectableChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A source that carries bytes.
 *
 * <p>The JDK copies a heap buffer into a direct one as large as what remains in it, and keeps that one for the thread;
 * so heap buffers are passed on in pieces.
 */
abstract class NioByteSource extends NioSource {
    /** The largest piece of a heap buffer that is passed on at once, in bytes. */
    static final int PIECE = 64 * 1024;
    /** The most heap buffers in one gathering write: as many direct ones are kept by the JDK. */
    private static final int HEAP_BUFFERS = 64;
    /** The most buffers that the systems take in one gathering write. */
    private static final int BUFFERS = 1024;

    /** Failures that came after some bytes had been moved; the next operation throws them. */
    private @Nullable IOException readFailure;

    private @Nullable IOException writeFailure;

    /** What the connection was lost by: the system tells it to one operation, and reads the end of the stream after it. */
    private @Nullable IOException lostBy;

    NioByteSource(NioProvider provider, SelectableChannel channel, boolean borrowed, Interest directions) {
        super(provider, channel, borrowed, directions);
    }

    /** Throws if bytes can never be moved (any more), for a reason that the channel does not know. */
    void ensureUsable() throws IOException {}

    final int readFrom(ReadableByteChannel from, ByteBuffer dst) throws IOException {
        ensureOpen();
        if (!dst.hasRemaining()) {
            return 0;
        }
        ensureUsable();
        if (readFailure != null) {
            IOException failure = readFailure;
            readFailure = null;
            throw failure;
        }
        int n;
        try {
            n = dst.isDirect() || dst.remaining() <= PIECE ? from.read(dst) : readPieces(from, dst);
        } catch (IOException e) {
            throw mapped("read from ", e);
        }
        if (n >= 0) {
            return n > 0 ? n : InputSource.WOULD_BLOCK;
        }
        if (lostBy != null) {
            throw mapped("read from ", lostBy);
        }
        return InputSource.END_OF_STREAM;
    }

    private int readPieces(ReadableByteChannel from, ByteBuffer dst) throws IOException {
        int start = dst.position();
        int end = dst.limit();
        try {
            while (dst.position() < end) {
                int piece = Math.min(PIECE, end - dst.position());
                dst.limit(dst.position() + piece);
                int n;
                try {
                    n = from.read(dst);
                } catch (IOException e) {
                    if (dst.position() == start) {
                        throw e;
                    }
                    readFailure = mapped("read from ", e);
                    break;
                }
                if (n < piece) {
                    if (n < 0 && dst.position() == start) {
                        return n;
                    }
                    break;
                }
            }
        } finally {
            dst.limit(end);
        }
        return dst.position() - start;
    }

    final int writeTo(GatheringByteChannel to, ByteBuffer src) throws IOException {
        ensureOpen();
        if (!src.hasRemaining()) {
            return 0;
        }
        beforeWrite();
        int n;
        try {
            n = src.isDirect() || src.remaining() <= PIECE ? to.write(src) : writePieces(to, src);
        } catch (IOException e) {
            throw mapped("write to ", e);
        }
        return n > 0 ? n : InputSource.WOULD_BLOCK;
    }

    private int writePieces(GatheringByteChannel to, ByteBuffer src) throws IOException {
        int start = src.position();
        int end = src.limit();
        try {
            while (src.position() < end) {
                int piece = Math.min(PIECE, end - src.position());
                src.limit(src.position() + piece);
                int n;
                try {
                    n = to.write(src);
                } catch (IOException e) {
                    if (src.position() == start) {
                        throw e;
                    }
                    writeFailure = mapped("write to ", e);
                    break;
                }
                if (n < piece) {
                    break;
                }
            }
        } finally {
            src.limit(end);
        }
        return src.position() - start;
    }

    final long writeTo(GatheringByteChannel to, ByteBuffer[] srcs, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, srcs.length);
        ensureOpen();
        int end = offset + length;
        int next = skipEmpty(srcs, offset, end);
        if (next == end) {
            return 0;
        }
        beforeWrite();
        long written = 0;
        while (next < end) {
            int stop = endOfRun(srcs, next, end);
            long wanted = 0;
            for (int i = next; i < stop; i++) {
                wanted += srcs[i].remaining();
            }
            long n;
            try {
                if (stop - next > 1) {
                    n = to.write(srcs, next, stop - next);
                } else {
                    ByteBuffer src = srcs[next];
                    n = src.isDirect() || src.remaining() <= PIECE ? to.write(src) : writePieces(to, src);
                }
            } catch (IOException e) {
                IOException failure = mapped("write to ", e);
                if (written == 0) {
                    throw failure;
                }
                writeFailure = failure;
                break;
            }
            written += Math.max(n, 0);
            if (n < wanted) {
                break;
            }
            next = skipEmpty(srcs, next, end);
        }
        return written > 0 ? written : InputSource.WOULD_BLOCK;
    }

    private static int skipEmpty(ByteBuffer[] srcs, int from, int end) {
        int i = from;
        while (i < end && !srcs[i].hasRemaining()) {
            i++;
        }
        return i;
    }

    /** The end of the buffers from {@code start} that one call is given: one at least. */
    private static int endOfRun(ByteBuffer[] srcs, int start, int end) {
        int heapBytes = 0;
        int heapBuffers = 0;
        int i = start;
        while (i < end && i - start < BUFFERS) {
            ByteBuffer src = srcs[i];
            if (!src.isDirect() && src.hasRemaining()) {
                if (src.remaining() > PIECE - heapBytes || heapBuffers == HEAP_BUFFERS) {
                    break;
                }
                heapBytes += src.remaining();
                heapBuffers++;
            }
            i++;
        }
        return Math.max(i, start + 1);
    }

    private void beforeWrite() throws IOException {
        ensureUsable();
        if (writeFailure != null) {
            IOException failure = writeFailure;
            writeFailure = null;
            throw failure;
        }
    }

    private IOException mapped(String operation, IOException failure) {
        if (failure instanceof ClosedChannelException closed) {
            return closed(closed);
        }
        if (NioErrors.isLoss(failure)) {
            lostBy = failure;
        }
        return NioErrors.map(operation + this, failure);
    }
}
