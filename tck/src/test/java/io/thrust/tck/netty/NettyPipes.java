package io.thrust.tck.netty;

import io.netty.channel.unix.FileDescriptor;
import io.thrust.poll.InputSource;
import io.thrust.poll.Interest;
import io.thrust.poll.OutputSource;
import io.thrust.poll.PipePair;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Pipes and their ends. */
final class NettyPipes {
    private NettyPipes() {}

    static PipePair open(NettyKqueueProvider provider) throws IOException {
        FileDescriptor[] ends;
        try {
            ends = FileDescriptor.pipe();
        } catch (IOException e) {
            throw NettyErrors.of("open a pipe", e);
        }
        return new PipePair(new Reader(provider, ends[0]), new Writer(provider, ends[1]));
    }

    private static final class Reader extends NettySource implements InputSource {
        Reader(NettyKqueueProvider provider, FileDescriptor fd) {
            super(provider, fd);
        }

        @Override
        public Interest directions() {
            return Interest.READ;
        }

        @Override
        public int read(ByteBuffer dst) throws IOException {
            ensureOpen();
            return NettyTransfer.read(this, dst);
        }

        @Override
        public boolean isDrainedByShortRead() {
            return false;
        }

        @Override
        public String toString() {
            return "pipe reader";
        }
    }

    private static final class Writer extends NettySource implements OutputSource {
        Writer(NettyKqueueProvider provider, FileDescriptor fd) {
            super(provider, fd);
        }

        @Override
        public Interest directions() {
            return Interest.WRITE;
        }

        @Override
        public int write(ByteBuffer src) throws IOException {
            ensureOpen();
            return NettyTransfer.write(this, src);
        }

        @Override
        public long write(ByteBuffer[] srcs, int offset, int length) throws IOException {
            ensureOpen();
            return NettyTransfer.write(this, srcs, offset, length);
        }

        /** The kernels that have kqueue look for a reader before they look at how much is to be written. */
        @Override
        boolean isReaderGone() {
            try {
                fd.write(ByteBuffer.allocateDirect(1), 0, 0);
                return false;
            } catch (IOException e) {
                return NettyErrors.number(e) == NettyErrors.number("EPIPE");
            }
        }

        @Override
        public String toString() {
            return "pipe writer";
        }
    }
}
