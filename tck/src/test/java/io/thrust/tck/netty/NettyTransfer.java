package io.thrust.tck.netty;

import io.thrust.poll.InputSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.NotYetConnectedException;
import java.util.Objects;

/** Reads and writes, buffer by buffer; heap buffers pass through a direct one, piece by piece. */
final class NettyTransfer {
    private static final int PIECE = 64 * 1024;

    private NettyTransfer() {}

    static int read(NettySource source, ByteBuffer dst) throws IOException {
        if (!dst.hasRemaining()) {
            return 0;
        }
        if (dst.isReadOnly()) {
            throw new IllegalArgumentException("the buffer to read into is read-only");
        }
        if (dst.isDirect()) {
            int read = receive(source, dst, dst.position(), dst.limit());
            if (read > 0) {
                dst.position(dst.position() + read);
            }
            return read;
        }
        ByteBuffer direct = ByteBuffer.allocateDirect(Math.min(dst.remaining(), PIECE));
        int total = 0;
        while (dst.hasRemaining()) {
            int want = Math.min(dst.remaining(), PIECE);
            int read;
            try {
                read = receive(source, direct, 0, want);
            } catch (IOException e) {
                if (total > 0) {
                    break; // what was read comes first; the source remembers what broke it
                }
                throw e;
            }
            if (read <= 0) {
                return total > 0 ? total : read;
            }
            dst.put(direct.limit(read).position(0));
            direct.clear();
            total += read;
            if (read < want) {
                break;
            }
        }
        return total;
    }

    private static int receive(NettySource source, ByteBuffer direct, int position, int limit) throws IOException {
        int read;
        try {
            read = source.fd.read(direct, position, limit);
        } catch (IOException | NotYetConnectedException e) {
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

    static int write(NettySource source, ByteBuffer src) throws IOException {
        if (!src.hasRemaining()) {
            return 0;
        }
        int total = 0;
        while (src.hasRemaining()) {
            int want = Math.min(src.remaining(), PIECE);
            int written;
            try {
                written = send(source, src, want);
            } catch (IOException e) {
                if (total > 0) {
                    break; // the next write finds it again
                }
                throw e;
            }
            src.position(src.position() + written);
            total += written;
            if (written < want) {
                break;
            }
        }
        return total == 0 ? InputSource.WOULD_BLOCK : total;
    }

    private static int send(NettySource source, ByteBuffer src, int count) throws IOException {
        try {
            if (src.isDirect()) {
                return source.fd.write(src, src.position(), src.position() + count);
            }
            ByteBuffer direct = ByteBuffer.allocateDirect(count);
            direct.put(0, src, src.position(), count);
            return source.fd.write(direct, 0, count);
        } catch (IOException | NotYetConnectedException e) {
            throw source.failed("write to", e);
        }
    }

    static long write(NettySource source, ByteBuffer[] srcs, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, srcs.length);
        long total = 0;
        boolean any = false;
        for (int i = offset; i < offset + length; i++) {
            ByteBuffer src = srcs[i];
            if (!src.hasRemaining()) {
                continue;
            }
            any = true;
            int written;
            try {
                written = write(source, src);
            } catch (IOException e) {
                if (total > 0) {
                    return total;
                }
                throw e;
            }
            if (written > 0) {
                total += written;
            }
            if (src.hasRemaining()) {
                break;
            }
        }
        return total == 0 && any ? InputSource.WOULD_BLOCK : total;
    }
}
