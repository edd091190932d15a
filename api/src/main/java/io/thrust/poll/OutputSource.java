package io.thrust.poll;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A source to which bytes are written without blocking. */
public interface OutputSource extends Source {

    /**
     * Writes at most {@code src.remaining()} bytes from the buffer's position, and advances the position by as many as
     * were written. A direct buffer is written without a copy, unless it is so small that a copy is cheaper; a heap
     * buffer is copied in pieces of bounded size.
     *
     * @return the number of bytes written (positive, possibly fewer than remain); 0 if and only if nothing remains,
     *     without a system call; or {@link InputSource#WOULD_BLOCK}. Fewer than remain means that the send buffer was
     *     full at that moment
     * @throws BrokenPipeException if the reading side is gone
     * @throws ConnectionResetException if the peer reset the connection
     * @throws SourceClosedException if this source is closed
     * @throws IOException if the system reported another error
     */
    int write(ByteBuffer src) throws IOException;

    /**
     * Gathering write: as {@link #write(ByteBuffer)}, over {@code srcs[offset]} to {@code srcs[offset + length - 1]}
     * in that order. Any number of buffers is taken; one call may write only some of them.
     *
     * @throws IndexOutOfBoundsException if the range does not lie within the array
     */
    long write(ByteBuffer[] srcs, int offset, int length) throws IOException;
}
