package io.thrust.nio;

import io.thrust.poll.Interest;
import io.thrust.poll.OutputSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;

/** The end of a pipe that is written to. */
final class NioPipeWriter extends NioByteSource implements OutputSource {
    private final Pipe.SinkChannel pipe;
    private final String name;

    NioPipeWriter(NioProvider provider, Pipe.SinkChannel pipe, boolean borrowed) {
        super(provider, pipe, borrowed, Interest.WRITE);
        this.pipe = pipe;
        this.name = borrowed ? "adopted pipe writer" : "pipe writer";
    }

    @Override
    public int write(ByteBuffer src) throws IOException {
        return writeTo(pipe, src);
    }

    @Override
    public long write(ByteBuffer[] srcs, int offset, int length) throws IOException {
        return writeTo(pipe, srcs, offset, length);
    }

    @Override
    public String toString() {
        return name;
    }
}
