package io.thrust.nio;

import io.thrust.poll.InputSource;
import io.thrust.poll.Interest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;

/** The end of a pipe that is read from. */
final class NioPipeReader extends NioByteSource implements InputSource {
    private final Pipe.SourceChannel pipe;
    private final String name;

    NioPipeReader(NioProvider provider, Pipe.SourceChannel pipe, boolean borrowed) {
        super(provider, pipe, borrowed, Interest.READ);
        this.pipe = pipe;
        this.name = borrowed ? "adopted pipe reader" : "pipe reader";
    }

    @Override
    public int read(ByteBuffer dst) throws IOException {
        return readFrom(pipe, dst);
    }

    @Override
    public boolean isDrainedByShortRead() {
        return false;
    }

    @Override
    public String toString() {
        return name;
    }
}
