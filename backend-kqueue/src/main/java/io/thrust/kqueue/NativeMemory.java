package io.thrust.kqueue;

import com.kenai.jffi.MemoryIO;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;

/**
 * A block of native memory that lives until it is freed, and no shorter: no collector knows of it, so the kernel may
 * write to it at any time. Freeing is by whoever allocated it, once, when no system call can use it any more.
 */
final class NativeMemory {
    private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0).order(ByteOrder.nativeOrder());

    private final long address;
    private final Pointer pointer;
    private ByteBuffer bytes;

    private NativeMemory(long address, int size) {
        this.address = address;
        this.pointer = Pointer.wrap(Runtime.getSystemRuntime(), address, size);
        this.bytes = MemoryIO.getInstance().newDirectByteBuffer(address, size).order(ByteOrder.nativeOrder());
    }

    /** A block of zeros. */
    static NativeMemory allocate(int size) {
        long address = MemoryIO.getInstance().allocateMemory(size, true);
        if (address == 0) {
            throw new OutOfMemoryError("no native memory for " + size + " bytes");
        }
        return new NativeMemory(address, size);
    }

    /** The address of a direct buffer's first byte (index 0). The caller keeps the buffer reachable. */
    static long addressOf(ByteBuffer direct) {
        return MemoryIO.getInstance().getDirectBufferAddress(direct);
    }

    long address() {
        return address;
    }

    /** The same as an object, for the parameters that need one. */
    Pointer pointer() {
        return pointer;
    }

    /** A view in the byte order of the machine; without content once the block is freed. */
    ByteBuffer bytes() {
        return bytes;
    }

    /** Frees the block. A second call does nothing. */
    void free() {
        if (bytes != NOTHING) {
            bytes = NOTHING;
            MemoryIO.getInstance().freeMemory(address);
        }
    }
}
