package io.thrust.kqueue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What one thread's system calls read from and write to: a piece for bytes of heap buffers and small direct ones, a socket
 * address, a few integers, and the vector of a gathering write. It lives as long as its thread, which alone uses it.
 */
final class Scratch {
    /** The size of a piece in bytes. */
    static final int PIECE = 64 * 1024;

    /** The most entries of a vector: IOV_MAX, the same everywhere. */
    static final int MAX_VECTOR = 1024;

    /** The largest socket address is that of a Unix domain socket. */
    static final int MAX_ADDRESS = 128;

    private static final int ADDRESS = PIECE;
    private static final int LENGTH = ADDRESS + MAX_ADDRESS;
    private static final int VALUE = LENGTH + 8;
    private static final int MAX_VALUE = 8;
    private static final int MESSAGE = VALUE + MAX_VALUE;
    private static final int MESSAGE_SIZE = 64;
    private static final int VECTOR = MESSAGE + MESSAGE_SIZE;
    private static final int VECTOR_ENTRY = 16;
    private static final int SIZE = VECTOR + MAX_VECTOR * VECTOR_ENTRY;

    /** {@code msg_iov} and {@code msg_iovlen}; all before and after is zero. */
    private static final int MESSAGE_VECTOR = MESSAGE + 16;

    private static final int MESSAGE_VECTOR_LENGTH = MESSAGE + 24;

    private static final ThreadLocal<Scratch> OF_THREAD = ThreadLocal.withInitial(Scratch::new);

    private final ByteBuffer bytes = ByteBuffer.allocateDirect(SIZE).order(ByteOrder.nativeOrder());
    private final long base = NativeMemory.addressOf(bytes);
    private int vectorLength;

    private Scratch() {}

    static Scratch get() {
        return OF_THREAD.get();
    }

    /** The piece: index 0 to {@link #PIECE}. The rest is not for the caller. */
    ByteBuffer bytes() {
        return bytes;
    }

    long bytesAddress() {
        return base;
    }

    // ---- a socket address

    /** Where {@link #address} begins within {@link #bytes}. */
    int addressIndex() {
        return ADDRESS;
    }

    long address() {
        return base + ADDRESS;
    }

    long lengthAddress() {
        return base + LENGTH;
    }

    /** Zeroes the address and says how much room it has. */
    void prepareAddress() {
        for (int i = 0; i < MAX_ADDRESS; i += Long.BYTES) {
            bytes.putLong(ADDRESS + i, 0);
        }
        bytes.putInt(LENGTH, MAX_ADDRESS);
    }

    /** How long the address is that the system wrote. */
    int addressLength() {
        return Math.min(bytes.getInt(LENGTH), MAX_ADDRESS);
    }

    // ---- integers

    long valueAddress() {
        return base + VALUE;
    }

    int value(int index) {
        return bytes.getInt(VALUE + index * Integer.BYTES);
    }

    void value(int index, int value) {
        bytes.putInt(VALUE + index * Integer.BYTES, value);
    }

    void prepareValue(int integers) {
        bytes.putLong(VALUE, 0);
        bytes.putInt(LENGTH, integers * Integer.BYTES);
    }

    // ---- a vector

    long vectorAddress() {
        return base + VECTOR;
    }

    int vectorLength() {
        return vectorLength;
    }

    void clearVector() {
        vectorLength = 0;
    }

    boolean isVectorFull() {
        return vectorLength == MAX_VECTOR;
    }

    void addToVector(long address, int length) {
        int at = VECTOR + vectorLength * VECTOR_ENTRY;
        bytes.putLong(at, address);
        bytes.putLong(at + 8, length);
        vectorLength++;
    }

    /**
     * A {@code struct msghdr} whose only content is the vector.
     *
     * @param wideLength whether {@code msg_iovlen} is a {@code size_t} (Linux) and not an {@code int}
     */
    long message(boolean wideLength) {
        bytes.putLong(MESSAGE_VECTOR, vectorAddress());
        if (wideLength) {
            bytes.putLong(MESSAGE_VECTOR_LENGTH, vectorLength);
        } else {
            bytes.putInt(MESSAGE_VECTOR_LENGTH, vectorLength);
        }
        return base + MESSAGE;
    }
}
