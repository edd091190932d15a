package io.thrust.tck.memory;

import io.thrust.poll.ReadyEvents;
import java.util.Objects;

/** A batch. */
final class MemoryBatch implements ReadyEvents {
    private final long[] keys;
    private final boolean[] readable;
    private final boolean[] writable;
    private final boolean[] hangup;
    private int size;

    MemoryBatch(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("batch capacity is " + capacity + ", but must be at least 1");
        }
        keys = new long[capacity];
        readable = new boolean[capacity];
        writable = new boolean[capacity];
        hangup = new boolean[capacity];
    }

    void clear() {
        size = 0;
    }

    boolean isFull() {
        return size == keys.length;
    }

    int add(long key, boolean read, boolean write, boolean hung) {
        keys[size] = key;
        readable[size] = read;
        writable[size] = write;
        hangup[size] = hung;
        return size++;
    }

    void blank(int index) {
        readable[index] = false;
        writable[index] = false;
        hangup[index] = false;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public int capacity() {
        return keys.length;
    }

    @Override
    public boolean isBlank(int index) {
        Objects.checkIndex(index, size);
        return !readable[index] && !writable[index];
    }

    @Override
    public long key(int index) {
        return keys[Objects.checkIndex(index, size)];
    }

    @Override
    public boolean isReadable(int index) {
        return readable[Objects.checkIndex(index, size)];
    }

    @Override
    public boolean isWritable(int index) {
        return writable[Objects.checkIndex(index, size)];
    }

    @Override
    public boolean isHangup(int index) {
        return hangup[Objects.checkIndex(index, size)];
    }
}
