package io.thrust.epoll;

import io.netty.channel.unix.Buffer;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;

/**
 * Remembers the address of the direct buffer that a poller's sources are read into, or written from: most loops have one
 * for all. Netty's native code, given a buffer, asks the JVM for its address at each call; given an address it need not.
 * A loop that uses many buffers pays for a look here, and no more.
 *
 * <p>Holds on to no buffer. Any thread may ask: what is remembered is immutable, and lost counts do no harm.
 */
final class BufferAddress {
    /** Not known: 0 is the address of no buffer. */
    static final long UNKNOWN = 0;

    /** Buffers other than the remembered one that are seen before one of them takes its place. */
    static final int MOST_MISSES = 64;

    private record Known(WeakReference<ByteBuffer> buffer, long address) {}

    private Known known = new Known(new WeakReference<>(null), UNKNOWN);
    private int misses;

    /** The address of index 0 of a direct buffer, or {@link #UNKNOWN}. */
    long of(ByteBuffer direct) {
        Known known = this.known;
        return known.buffer.refersTo(direct) ? known.address : missed(direct);
    }

    private long missed(ByteBuffer direct) {
        if (++misses < MOST_MISSES) {
            return UNKNOWN;
        }
        misses = 0;
        Known seen = new Known(new WeakReference<>(direct), Buffer.memoryAddress(direct));
        known = seen;
        return seen.address;
    }
}
