package io.thrust.tck.memory;

import java.nio.ByteBuffer;

/** Bytes on their way in one direction. */
final class ByteQueue {
    private final byte[] bytes;
    private int head;
    private int size;
    /** Nothing more will be written. */
    boolean ended;
    /** Nobody will read any more. */
    boolean abandoned;

    ByteQueue(int capacity) {
        bytes = new byte[capacity];
    }

    int size() {
        return size;
    }

    int room() {
        return bytes.length - size;
    }

    boolean isFull() {
        return size == bytes.length;
    }

    void clear() {
        size = 0;
    }

    int put(ByteBuffer source) {
        int count = Math.min(source.remaining(), room());
        for (int left = count; left > 0; ) {
            int tail = (head + size) % bytes.length;
            int chunk = Math.min(left, bytes.length - tail);
            source.get(bytes, tail, chunk);
            size += chunk;
            left -= chunk;
        }
        return count;
    }

    int take(ByteBuffer target) {
        int count = Math.min(target.remaining(), size);
        for (int left = count; left > 0; ) {
            int chunk = Math.min(left, bytes.length - head);
            target.put(bytes, head, chunk);
            head = (head + chunk) % bytes.length;
            size -= chunk;
            left -= chunk;
        }
        return count;
    }
}
