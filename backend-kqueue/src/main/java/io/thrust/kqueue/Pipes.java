package io.thrust.kqueue;

import io.thrust.poll.InputSource;
import io.thrust.poll.Interest;
import io.thrust.poll.OutputSource;
import io.thrust.poll.PipePair;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Pipes and their ends. No system can write to a broken pipe without SIGPIPE: the JVM ignores that signal. */
final class Pipes {
    private Pipes() {}

    static PipePair open(KqueueProvider provider, Kernel kernel) throws IOException {
        long ends = Descriptors.pipe(kernel, "open a pipe");
        return new PipePair(
                new Reader(provider, kernel, Descriptors.first(ends)),
                new Writer(provider, kernel, Descriptors.second(ends)));
    }

    private static final class Reader extends KqueueSource implements InputSource {
        Reader(KqueueProvider provider, Kernel kernel, int fd) {
            super(provider, kernel, fd);
        }

        @Override
        public Interest directions() {
            return Interest.READ;
        }

        @Override
        public int read(ByteBuffer dst) throws IOException {
            enter();
            try {
                return Transfer.read(this, dst);
            } finally {
                leave();
            }
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

    private static final class Writer extends KqueueSource implements OutputSource {
        Writer(KqueueProvider provider, Kernel kernel, int fd) {
            super(provider, kernel, fd);
        }

        @Override
        public Interest directions() {
            return Interest.WRITE;
        }

        @Override
        public int write(ByteBuffer src) throws IOException {
            enter();
            try {
                return Transfer.write(this, src);
            } finally {
                leave();
            }
        }

        @Override
        public long write(ByteBuffer[] srcs, int offset, int length) throws IOException {
            enter();
            try {
                return Transfer.write(this, srcs, offset, length);
            } finally {
                leave();
            }
        }

        @Override
        public String toString() {
            return "pipe writer";
        }
    }
}
