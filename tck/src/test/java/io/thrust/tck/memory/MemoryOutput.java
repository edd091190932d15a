package io.thrust.tck.memory;

import io.thrust.poll.InputSource;
import io.thrust.poll.Interest;
import io.thrust.poll.OutputSource;
import io.thrust.poll.spi.SocketError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;

/** The end of a pipe that is written to. */
final class MemoryOutput extends MemorySource implements OutputSource {
    private final ByteQueue queue;
    private final MemoryInput peer;

    MemoryOutput(MemoryNet net, ByteQueue queue, MemoryInput peer) {
        super(net);
        this.queue = queue;
        this.peer = peer;
    }

    @Override
    boolean isReadable() {
        return false;
    }

    @Override
    boolean isWritable() {
        return queue.room() > 0
                || (queue.abandoned && !net.has(Fault.BROKEN_PIPE_NOT_REPORTED))
                || net.has(Fault.WRITABLE_WHEN_FULL);
    }

    @Override
    boolean isHungUp() {
        return queue.abandoned;
    }

    @Override
    void release() {
        queue.ended = true;
        peer.arrived(true, false);
    }

    @Override
    public Interest directions() {
        return Interest.WRITE;
    }

    @Override
    public int write(ByteBuffer src) throws IOException {
        net.lock.lock();
        try {
            ensureOpen();
            if (!src.hasRemaining()) {
                return 0;
            }
            if (queue.abandoned) {
                throw SocketError.BROKEN_PIPE.exception("write to " + this);
            }
            int count = queue.put(src);
            if (count == 0) {
                return InputSource.WOULD_BLOCK;
            }
            peer.arrived(true, false);
            return count;
        } finally {
            net.lock.unlock();
        }
    }

    @Override
    public long write(ByteBuffer[] srcs, int offset, int length) throws IOException {
        return gather(this, net, srcs, offset, length);
    }

    static long gather(OutputSource target, MemoryNet net, ByteBuffer[] srcs, int offset, int length)
            throws IOException {
        Objects.checkFromIndexSize(offset, length, srcs.length);
        long total = 0;
        int end = offset + length;
        for (int i = offset; i < end; i++) {
            if (net.has(Fault.GATHERING_SKIPS_BUFFERS) && i - offset == 1024) {
                srcs[i].position(srcs[i].limit());
                continue;
            }
            if (srcs[i].hasRemaining()) {
                int count = target.write(srcs[i]);
                if (count < 0) {
                    return total == 0 ? count : total;
                }
                total += count;
                if (srcs[i].hasRemaining()) {
                    return total;
                }
            }
        }
        return total;
    }
}
