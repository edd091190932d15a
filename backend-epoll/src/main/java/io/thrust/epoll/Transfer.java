package io.thrust.epoll;

import io.netty.channel.unix.Buffer;
import io.netty.channel.unix.Limits;
import io.thrust.poll.InputSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

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
            read = source.fd.read(direct, position, limit);
        } catch (IOException e) {
            throw source.failed("read from", e);
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
            return source.fd.write(direct, position, limit);
        } catch (IOException e) {
            throw source.failed("write to", e);
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
                written = source.fd.writevAddresses(scratch.vectorAddress, scratch.vectorCount);
            } catch (IOException e) {
                throw source.failed("write to", e);
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

    /** Native memory of one thread: a piece, and the vector of {@code writev}. */
    private static final class Scratch {
        /** An iovec is an address and a length, 64 bits each on the systems that Netty's library is built for. */
        private static final int IOVEC = 2 * Long.BYTES;

        final ByteBuffer bytes = ByteBuffer.allocateDirect(PIECE);
        private final long bytesAddress = Buffer.memoryAddress(bytes);
        private final ByteBuffer vector =
                ByteBuffer.allocateDirect(Limits.IOV_MAX * IOVEC).order(ByteOrder.nativeOrder());
        final long vectorAddress = Buffer.memoryAddress(vector);
        int vectorCount;

        /** Fills the vector with as much as fits, and returns the number of bytes. */
        long gather(ByteBuffer[] srcs, int first, int end) {
            vectorCount = 0;
            long total = 0;
            int copied = 0;
            for (int i = first; i < end && vectorCount < Limits.IOV_MAX && total < MAX_GATHER; i++) {
                ByteBuffer src = srcs[i];
                int remaining = src.remaining();
                int part = remaining;
                long address;
                if (remaining == 0) {
                    continue;
                } else if (src.isDirect()) {
                    part = (int) Math.min(remaining, MAX_GATHER - total);
                    address = Buffer.memoryAddress(src) + src.position();
                } else {
                    part = Math.min(remaining, PIECE - copied);
                    if (part == 0) {
                        break;
                    }
                    bytes.put(copied, src, src.position(), part);
                    address = bytesAddress + copied;
                    copied += part;
                }
                vector.putLong(vectorCount * IOVEC, address);
                vector.putLong(vectorCount * IOVEC + Long.BYTES, part);
                vectorCount++;
                total += part;
                if (part < remaining) {
                    break;
                }
            }
            return total;
        }
    }
}
