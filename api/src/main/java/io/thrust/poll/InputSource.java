package io.thrust.poll;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A source from which bytes are read without blocking. */
public interface InputSource extends Source {

    /** Returned by {@link #read} at the end of the stream. */
    int END_OF_STREAM = -1;

    /** Returned by an operation that would have to wait for readiness; nothing was transferred. */
    int WOULD_BLOCK = -2;

    /**
     * Reads at most {@code dst.remaining()} bytes to the buffer's position, and advances the position by as many as
     * were read. A direct buffer is read into without a copy, unless it is so small that a copy is cheaper.
     *
     * @return the number of bytes read (positive); 0 if and only if the buffer has no room, without a system call;
     *     {@link #END_OF_STREAM}; or {@link #WOULD_BLOCK}
     * @throws ConnectionResetException if the peer reset the connection
     * @throws SourceClosedException if this source is closed
     * @throws IOException if the system reported another error
     */
    int read(ByteBuffer dst) throws IOException;

    /**
     * Whether a read that returned fewer bytes than there was room for has emptied the source, so that a caller in
     * {@link Mode#EDGE} need not read once more to see that it would block. A provider answers true only for TCP
     * streams that it opened or accepted itself; the answer does not hold once {@link ReadyEvents#isHangup} was seen.
     * Asked right after the read in question.
     */
    boolean isDrainedByShortRead();
}
