package io.thrust.kqueue;

import java.io.IOException;

/** A wake-up by a byte in a pipe, for systems without EVFILT_USER. */
final class WakePipe implements WakeSignal {
    private static final int DRAINED_AT_ONCE = 64;

    private final Kernel kernel;
    private final int reader;
    private final int writer;
    /** The byte that is sent, then room for those received: no thread reads what the kernel writes. */
    private final NativeMemory memory = NativeMemory.allocate(8 + DRAINED_AT_ONCE);

    private WakePipe(Kernel kernel, int reader, int writer) {
        this.kernel = kernel;
        this.reader = reader;
        this.writer = writer;
    }

    static WakePipe open(Kernel kernel, String operation) throws IOException {
        long ends = Descriptors.pipe(kernel, operation);
        return new WakePipe(kernel, Descriptors.first(ends), Descriptors.second(ends));
    }

    @Override
    public long ident() {
        return reader;
    }

    @Override
    public int filter() {
        return kernel.layout().evfiltRead;
    }

    /** In level mode: as long as a byte lies there it is told. */
    @Override
    public int flags() {
        return KeventLayout.EV_ADD;
    }

    @Override
    public void send(NativeMemory noWait) {
        long result;
        do {
            result = kernel.syscalls().write(writer, memory.address(), 1);
        } while (-result == kernel.numbers().eintr);
        // A pipe that is full wakes as well.
        if (result < 0 && -result != kernel.numbers().eagain) {
            throw new IllegalStateException(
                    "a wake-up failed: " + kernel.numbers().errnoWords((int) -result));
        }
    }

    @Override
    public void received() {
        long result;
        do {
            result = kernel.syscalls().read(reader, memory.address() + 8, DRAINED_AT_ONCE);
        } while (result == DRAINED_AT_ONCE || -result == kernel.numbers().eintr);
    }

    @Override
    public void close() {
        kernel.syscalls().close(reader);
        kernel.syscalls().close(writer);
        memory.free();
    }
}
