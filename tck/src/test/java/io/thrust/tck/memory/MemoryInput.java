package io.thrust.tck.memory;

import io.thrust.poll.InputSource;
import io.thrust.poll.Interest;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The end of a pipe that is read. */
final class MemoryInput extends MemorySource implements InputSource {
    private final ByteQueue queue;
    private MemoryOutput peer;

    MemoryInput(MemoryNet net, ByteQueue queue) {
        super(net);
        this.queue = queue;
    }

    void connect(MemoryOutput writer) {
        peer = writer;
    }

    @Override
    boolean isReadable() {
        return queue.size() > 0 || (queue.ended && !net.has(Fault.HANGUP_WITHOUT_DATA_DROPPED));
    }

    @Override
    boolean isWritable() {
        return false;
    }

    @Override
    boolean isHungUp() {
        return queue.ended;
    }

    @Override
    void release() {
        queue.abandoned = true;
        if (!net.has(Fault.BROKEN_PIPE_NOT_REPORTED)) {
            peer.arrived(false, true);
        }
    }

    @Override
    public Interest directions() {
        return Interest.READ;
    }

    @Override
    public int read(ByteBuffer dst) throws IOException {
        net.lock.lock();
        try {
            ensureOpen();
            if (isNothing(dst)) {
                return 0;
            }
            boolean wasFull = queue.isFull();
            int count = queue.take(dst);
            if (count == 0) {
                return queue.ended || !dst.hasRemaining() ? END_OF_STREAM : WOULD_BLOCK;
            }
            if (wasFull) {
                peer.arrived(false, true);
            }
            return count;
        } finally {
            net.lock.unlock();
        }
    }

    @Override
    public boolean isDrainedByShortRead() {
        return net.has(Fault.PIPES_CLAIM_SHORT_READS);
    }
}
