package io.thrust.epoll;

import io.netty.channel.unix.FileDescriptor;
import io.thrust.poll.InputSource;
import io.thrust.poll.Interest;
import io.thrust.poll.OutputSource;
import io.thrust.poll.PipePair;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Pipes and their ends. */
final class Pipes {
    private Pipes() {}

    static PipePair open(EpollProvider provider) throws IOException {
        FileDescriptor[] ends;
        try {
            ends = FileDescriptor.pipe();
        } catch (IOException e) {
            throw Failures.of("open a pipe", e);
        }
        return new PipePair(new Reader(provider, ends[0]), new Writer(provider, ends[1]));
    }

    private static final class Reader extends EpollSource implements InputSource {
        Reader(EpollProvider provider, FileDescriptor fd) {
            super(provider, fd);
        }

        @Override
        public Interest directions() {
            return Interest.READ;
        }

        @Override
        public int read(ByteBuffer dst) throws IOException {
            ensureOpen();
            return Transfer.read(this, dst);
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

    private static final class Writer extends EpollSource implements OutputSource {
        Writer(EpollProvider provider, FileDescriptor fd) {
            super(provider, fd);
        }

        @Override
        public Interest directions() {
            return Interest.WRITE;
        }

        @Override
        public int write(ByteBuffer src) throws IOException {
            ensureOpen();
            return Transfer.write(this, src);
        }

        @Override
        public long write(ByteBuffer[] srcs, int offset, int length) throws IOException {
            ensureOpen();
            return Transfer.write(this, srcs, offset, length);
        }

        @Override
        public String toString() {
            return "pipe writer";
        }
    }
}
