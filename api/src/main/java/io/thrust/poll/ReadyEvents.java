package io.thrust.poll;

/**
 * What one {@link Poller#poll poll} fetched: a batch of entries, read by index, reused by the next poll. Owned by the
 * thread that owns the poller.
 *
 * <p>A batch holds at most one entry for a registration, with the union of the directions that this poll fetched. An
 * entry whose registration was deregistered or modified after the poll is <em>blank</em>: it has neither direction,
 * its key means nothing, and the caller skips it. So no event of a past registration is delivered, not even one that
 * had been fetched.
 *
 * <p>An index outside of the batch is an {@link IndexOutOfBoundsException}.
 */
public interface ReadyEvents {

    /** The number of entries, blank ones included; indexes run from 0 to {@code size() - 1}. */
    int size();

    /** The most entries that one poll puts into this batch. */
    int capacity();

    /** Whether the entry was withdrawn after the poll. */
    boolean isBlank(int index);

    /** The key given when the source was registered or last modified; unspecified for a blank entry. */
    long key(int index);

    /** Whether a read may make progress: data, end of stream, an error, or a waiting connection. */
    boolean isReadable(int index);

    /** Whether a write may make progress: room, an error, or the end of a connect. */
    boolean isWritable(int index);

    /**
     * Whether the end of the stream, a reset, an error or urgent data was seen. It accompanies at least one direction
     * of the registration's interest. Once seen, a short read no longer means that the source was drained. It is a
     * hint on whether the peer closed: only the operation itself tells.
     */
    boolean isHangup(int index);
}
