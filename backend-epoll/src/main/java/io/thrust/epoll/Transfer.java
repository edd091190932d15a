package io.thrust.epoll;

import io.netty.channel.unix.Limits;
import io.thrust.poll.InputSource;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes of an open descriptor. Direct buffers go to the kernel as they are; heap buffers pass through a
 * scratch buffer of the thread, piece by piece, until all is moved or the kernel moved less than asked for.
 */
final class Transfer {
    /** The size of a piece in bytes. */
    static final int PIECE = 64 * 1024;

    /** The most bytes given to one gathering call: below the kernel's own limit, at which it would cut. */
    private static final long MAX_GATHER = 1 << 30;

    private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

    private Transfer() {}

    static int read(EpollSource source, ByteBuffer dst) throws IOException {
        if (!dst.hasRemaining()) {
            return 0;
        }
        if (dst.isReadOnly()) {
            throw new IllegalArgumentException("the buffer to read into is read-only");
        }
        if (dst.isDirect()) {
            int position = dst.position();
            int read = receive(source, dst, position, dst.limit());
            if (read > 0) {
                dst.position(position + read);
            }
            return read;
        }
        ByteBuffer scratch = SCRATCH.get().bytes;
        int total = 0;
        while (true) {
            int want = Math.min(dst.remaining(), PIECE);
            int read;
            try {
                read = receive(source, scratch, 0, want);
            } catch (IOException e) {
                if (total == 0) {
                    throw e;
                }
                // What was read before comes first; the source remembers what broke the connection.
                return total;
            }
            if (read <= 0) {
                return total > 0 ? total : read;
            }
            int position = dst.position();
            dst.put(position, scratch, 0, read).position(position + read);
            total += read;
            if (read < want || !dst.hasRemaining()) {
                return total;
            }
        }
    }

    private static int receive(EpollSource source, ByteBuffer direct, int position, int limit) throws IOException {
        int read;
        try {
            long address = source.readAddress(direct);
            read = address == BufferAddress.UNKNOWN
                    ? source.fd.read(direct, position, limit)
                    : source.fd.readAddress(address, position, limit);
        } catch (IOException e) {
            throw source.failed("read from", e);
        } finally {
            Reference.reachabilityFence(direct);
        }
        if (read > 0) {
            return read;
        }
        if (read == 0) {
            return InputSource.WOULD_BLOCK;
        }
        source.checkOrderlyEnd();
        return InputSource.END_OF_STREAM;
    }

    static int write(EpollSource source, ByteBuffer src) throws IOException {
        if (!src.hasRemaining()) {
            return 0;
        }
        if (src.isDirect()) {
            int position = src.position();
            int written = send(source, src, position, src.limit());
            src.position(position + written);
            return written == 0 ? InputSource.WOULD_BLOCK : written;
        }
        ByteBuffer scratch = SCRATCH.get().bytes;
        int total = 0;
        while (true) {
            int position = src.position();
            int piece = Math.min(src.limit() - position, PIECE);
            scratch.put(0, src, position, piece);
            int written = send(source, scratch, 0, piece);
            src.position(position + written);
            total += written;
            if (written < piece || !src.hasRemaining()) {
                return total == 0 ? InputSource.WOULD_BLOCK : total;
            }
        }
    }

    private static int send(EpollSource source, ByteBuffer direct, int position, int limit) throws IOException {
        try {
            long address = source.writeAddress(direct);
            return address == BufferAddress.UNKNOWN
                    ? source.fd.write(direct, position, limit)
                    : source.fd.writeAddress(address, position, limit);
        } catch (IOException e) {
            throw source.failed("write to", e);
        } finally {
            Reference.reachabilityFence(direct);
        }
    }

    static long write(EpollSource source, ByteBuffer[] srcs, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, srcs.length);
        int end = offset + length;
        int first = skipEmpty(srcs, offset, end);
        if (first == end) {
            return 0;
        }
        Scratch scratch = SCRATCH.get();
        long total = 0;
        while (true) {
            long asked = scratch.gather(srcs, first, end);
            long written;
            try {
                written = source.fd.writev(scratch.vector, 0, scratch.vectorLength, Long.MAX_VALUE);
            } catch (IOException e) {
                throw source.failed("write to", e);
            } finally {
                scratch.clearVector();
            }
            advance(srcs, first, written);
            total += written;
            first = skipEmpty(srcs, first, end);
            if (written < asked || first == end) {
                return total == 0 ? InputSource.WOULD_BLOCK : total;
            }
        }
    }

    private static int skipEmpty(ByteBuffer[] srcs, int from, int end) {
        int index = from;
        while (index < end && !srcs[index].hasRemaining()) {
            index++;
        }
        return index;
    }

    private static void advance(ByteBuffer[] srcs, int first, long written) {
        long left = written;
        for (int i = first; left > 0; i++) {
            int step = (int) Math.min(left, srcs[i].remaining());
            srcs[i].position(srcs[i].position() + step);
            left -= step;
        }
    }

    /** What one thread copies heap buffers through, and the vector of its gathering writes. */
    private static final class Scratch {
        final ByteBuffer bytes = ByteBuffer.allocateDirect(PIECE);
        /** Direct buffers only: the caller's own, and windows on {@link #bytes} in place of heap buffers. */
        final @Nullable ByteBuffer[] vector = new ByteBuffer[Limits.IOV_MAX];

        int vectorLength;
        /** Made when first needed, and used again. */
        private final @Nullable ByteBuffer[] windows = new ByteBuffer[Limits.IOV_MAX];

        /** Fills the vector with as much as fits, and returns the number of bytes. */
        long gather(ByteBuffer[] srcs, int first, int end) {
            // A null among the buffers may have ended the call before.
            clearVector();
            long total = 0;
            int copied = 0;
            for (int i = first; i < end && vectorLength < vector.length; i++) {
                ByteBuffer src = srcs[i];
                int remaining = src.remaining();
                if (remaining == 0) {
                    continue;
                }
                if (src.isDirect()) {
                    if (total > 0 && total + remaining > MAX_GATHER) {
                        break;
                    }
                    vector[vectorLength++] = src;
                    total += remaining;
                } else {
                    int part = Math.min(remaining, PIECE - copied);
                    if (part > 0) {
                        bytes.put(copied, src, src.position(), part);
                        vector[vectorLength] = window(vectorLength, copied, part);
                        vectorLength++;
                        copied += part;
                        total += part;
                    }
                    if (part < remaining) {
                        break;
                    }
                }
            }
            return total;
        }

        private ByteBuffer window(int index, int position, int length) {
            ByteBuffer window = windows[index];
            if (window == null) {
                window = bytes.duplicate();
                windows[index] = window;
            }
            return window.limit(position + length).position(position);
        }

        /** Lets go of the caller's buffers. */
        void clearVector() {
            Arrays.fill(vector, 0, vectorLength, null);
            vectorLength = 0;
        }
    }
}
