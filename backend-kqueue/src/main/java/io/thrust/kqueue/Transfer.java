package io.thrust.kqueue;

import io.thrust.poll.InputSource;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Reads and writes of a descriptor that is held open. The kernel works on direct buffers as they are; heap buffers pass
 * through a scratch of the thread, piece by piece, until all is moved or the kernel moved less than asked for.
 *
 * <p>To ask for the address of a direct buffer takes about as long as to copy two or three kilobytes, so that smaller ones
 * pass through the scratch too.
 */
final class Transfer {
    /** Direct buffers of up to this many bytes are copied. */
    static final int COPIED = 2048;

    /** The most bytes given to one gathering call: below the kernels' own limits, at which they would cut or refuse. */
    private static final long MAX_GATHER = 1 << 30;

    private Transfer() {}

    static int read(KqueueSource source, ByteBuffer dst) throws IOException {
        if (!dst.hasRemaining()) {
            return 0;
        }
        if (dst.isReadOnly()) {
            throw new IllegalArgumentException("the buffer to read into is read-only");
        }
        if (dst.isDirect() && dst.remaining() > COPIED) {
            int position = dst.position();
            try {
                int read = receive(source, NativeMemory.addressOf(dst) + position, dst.remaining());
                if (read > 0) {
                    dst.position(position + read);
                }
                return read;
            } finally {
                Reference.reachabilityFence(dst);
            }
        }
        Scratch scratch = Scratch.get();
        int total = 0;
        while (true) {
            int want = Math.min(dst.remaining(), Scratch.PIECE);
            int read;
            try {
                read = receive(source, scratch.bytesAddress(), want);
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
            dst.put(position, scratch.bytes(), 0, read).position(position + read);
            total += read;
            if (read < want || !dst.hasRemaining()) {
                return total;
            }
        }
    }

    private static int receive(KqueueSource source, long address, int count) throws IOException {
        Numbers numbers = source.kernel.numbers();
        while (true) {
            long read = source.kernel.syscalls().read(source.fd, address, count);
            if (read > 0) {
                source.available -= read;
                return (int) read;
            }
            if (read == 0) {
                source.checkOrderlyEnd();
                return InputSource.END_OF_STREAM;
            }
            if (-read == numbers.eagain) {
                return InputSource.WOULD_BLOCK;
            }
            if (-read != numbers.eintr) {
                throw source.failed("read from", read);
            }
        }
    }

    static int write(KqueueSource source, ByteBuffer src) throws IOException {
        if (!src.hasRemaining()) {
            return 0;
        }
        if (src.isDirect() && src.remaining() > COPIED) {
            int position = src.position();
            try {
                int written = send(source, NativeMemory.addressOf(src) + position, src.remaining());
                src.position(position + written);
                return written == 0 ? InputSource.WOULD_BLOCK : written;
            } finally {
                Reference.reachabilityFence(src);
            }
        }
        Scratch scratch = Scratch.get();
        int total = 0;
        while (true) {
            int position = src.position();
            int piece = Math.min(src.limit() - position, Scratch.PIECE);
            scratch.bytes().put(0, src, position, piece);
            int written;
            try {
                written = send(source, scratch.bytesAddress(), piece);
            } catch (IOException e) {
                if (total == 0) {
                    throw e;
                }
                // What was written before comes first; the next write finds the failure again.
                return total;
            }
            src.position(position + written);
            total += written;
            if (written < piece || !src.hasRemaining()) {
                return total == 0 ? InputSource.WOULD_BLOCK : total;
            }
        }
    }

    /** Returns 0 if it would block. */
    private static int send(KqueueSource source, long address, int count) throws IOException {
        long sent;
        do {
            sent = source.send(address, count);
        } while (-sent == source.kernel.numbers().eintr);
        return (int) sentOrFailed(source, sent);
    }

    private static long sentOrFailed(KqueueSource source, long sent) throws IOException {
        if (sent >= 0) {
            return sent;
        }
        if (-sent == source.kernel.numbers().eagain) {
            return 0;
        }
        throw source.failed("write to", sent);
    }

    static long write(KqueueSource source, ByteBuffer[] srcs, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, srcs.length);
        int end = offset + length;
        int first = skipEmpty(srcs, offset, end);
        if (first == end) {
            return 0;
        }
        Scratch scratch = Scratch.get();
        long total = 0;
        while (true) {
            long asked = gather(scratch, srcs, first, end);
            long written;
            try {
                do {
                    written = source.sendVector(scratch);
                } while (-written == source.kernel.numbers().eintr);
                written = sentOrFailed(source, written);
            } catch (IOException e) {
                if (total == 0) {
                    throw e;
                }
                return total;
            } finally {
                Reference.reachabilityFence(srcs);
            }
            advance(srcs, first, written);
            total += written;
            first = skipEmpty(srcs, first, end);
            if (written < asked || first == end) {
                return total == 0 ? InputSource.WOULD_BLOCK : total;
            }
        }
    }

    /** Fills the vector with as much as fits, and returns the number of bytes. */
    private static long gather(Scratch scratch, ByteBuffer[] srcs, int first, int end) {
        scratch.clearVector();
        long total = 0;
        int copied = 0;
        for (int i = first; i < end && !scratch.isVectorFull(); i++) {
            ByteBuffer src = srcs[i];
            int remaining = src.remaining();
            if (remaining == 0) {
                continue;
            }
            if (src.isDirect() && (remaining > COPIED || remaining > Scratch.PIECE - copied)) {
                if (total > 0 && total + remaining > MAX_GATHER) {
                    break;
                }
                scratch.addToVector(NativeMemory.addressOf(src) + src.position(), remaining);
                total += remaining;
            } else {
                int part = Math.min(remaining, Scratch.PIECE - copied);
                if (part > 0) {
                    scratch.bytes().put(copied, src, src.position(), part);
                    scratch.addToVector(scratch.bytesAddress() + copied, part);
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
}
