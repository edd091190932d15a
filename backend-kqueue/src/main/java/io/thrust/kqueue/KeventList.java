package io.thrust.kqueue;

import java.nio.ByteBuffer;

/** An array of {@code struct kevent} in native memory, allocated once and freed by {@link #free}. */
final class KeventList {
    private final NativeMemory memory;
    private final ByteBuffer bytes;
    private final int capacity;
    private final int size;
    private final boolean wide;
    private final int filter;
    private final int flags;
    private final int fflags;
    private final int data;
    private final int udata;

    KeventList(KeventLayout layout, int capacity) {
        this.memory = NativeMemory.allocate(Math.multiplyExact(layout.size, capacity));
        this.bytes = memory.bytes();
        this.capacity = capacity;
        this.size = layout.size;
        this.wide = layout.shape.wide;
        this.filter = layout.shape.filter;
        this.flags = layout.shape.flags;
        this.fflags = layout.shape.fflags;
        this.data = layout.shape.data;
        this.udata = layout.shape.udata;
    }

    long address() {
        return memory.address();
    }

    int capacity() {
        return capacity;
    }

    /** Writes an entry; the fields not given here stay zero. */
    void set(int index, long ident, int filter, int flags, int fflags, long udata) {
        int at = index * size;
        bytes.putLong(at + KeventLayout.IDENT, ident);
        if (wide) {
            bytes.putInt(at + this.filter, filter);
            bytes.putInt(at + this.flags, flags);
        } else {
            bytes.putShort(at + this.filter, (short) filter);
            bytes.putShort(at + this.flags, (short) flags);
        }
        bytes.putInt(at + this.fflags, fflags);
        bytes.putLong(at + this.udata, udata);
    }

    long ident(int index) {
        return bytes.getLong(index * size + KeventLayout.IDENT);
    }

    int filter(int index) {
        int at = index * size + filter;
        return wide ? bytes.getInt(at) : bytes.getShort(at);
    }

    int flags(int index) {
        int at = index * size + flags;
        return wide ? bytes.getInt(at) : bytes.getShort(at) & 0xffff;
    }

    int fflags(int index) {
        return bytes.getInt(index * size + fflags);
    }

    long data(int index) {
        return bytes.getLong(index * size + data);
    }

    long udata(int index) {
        return bytes.getLong(index * size + udata);
    }

    void free() {
        memory.free();
    }
}
