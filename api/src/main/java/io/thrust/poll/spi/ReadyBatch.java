package io.thrust.poll.spi;

import io.thrust.poll.ReadyEvents;
import java.util.Objects;

/** A {@link ReadyEvents} of fixed capacity that a poller fills; nothing is allocated after construction. */
public final class ReadyBatch implements ReadyEvents {
    /** Flag of an entry: a read may make progress. */
    public static final int READABLE = 1;
    /** Flag of an entry: a write may make progress. */
    public static final int WRITABLE = 2;
    /** Flag of an entry: end of stream, reset, error or urgent data was seen. */
    public static final int HANGUP = 4;

    private final long[] keys;
    private final byte[] flags;
    private int size;

    /**
     * Creates an empty batch.
     *
     * @throws IllegalArgumentException if the capacity is below 1
     */
    public ReadyBatch(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("batch capacity is " + capacity + ", but must be at least 1");
        }
        keys = new long[capacity];
        flags = new byte[capacity];
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public int capacity() {
        return keys.length;
    }

    /** How many entries still fit. */
    public int remaining() {
        return keys.length - size;
    }

    /** Empties the batch. */
    public void clear() {
        size = 0;
    }

    /**
     * Appends an entry and returns its index.
     *
     * @param flags a union of {@link #READABLE}, {@link #WRITABLE} and {@link #HANGUP} with at least one direction
     * @throws IllegalStateException if the batch is full: an event would be lost, so the backend must not fetch more
     *     than {@link #remaining()}
     */
    public int add(long key, int flags) {
        int index = size;
        if (index == keys.length) {
            throw new IllegalStateException("the batch holds " + index + " entries, its capacity; an event is lost");
        }
        keys[index] = key;
        this.flags[index] = (byte) flags;
        size = index + 1;
        return index;
    }

    /** Adds flags to an entry that was appended since the last {@link #clear}. */
    public void merge(int index, int flags) {
        this.flags[Objects.checkIndex(index, size)] |= (byte) flags;
    }

    /** Withdraws an entry. */
    public void blank(int index) {
        flags[Objects.checkIndex(index, size)] = 0;
    }

    @Override
    public boolean isBlank(int index) {
        return flags[Objects.checkIndex(index, size)] == 0;
    }

    @Override
    public long key(int index) {
        return keys[Objects.checkIndex(index, size)];
    }

    @Override
    public boolean isReadable(int index) {
        return (flags[Objects.checkIndex(index, size)] & READABLE) != 0;
    }

    @Override
    public boolean isWritable(int index) {
        return (flags[Objects.checkIndex(index, size)] & WRITABLE) != 0;
    }

    @Override
    public boolean isHangup(int index) {
        return (flags[Objects.checkIndex(index, size)] & HANGUP) != 0;
    }
}
