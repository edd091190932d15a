package io.thrust.kqueue;

import io.thrust.poll.Poller;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A kqueue of nothing, and the two ways to ask it whether anything is ready. */
final class KeventCalls implements AutoCloseable {
    static final int EVENTS = 64;

    private final Syscalls syscalls;
    private final int kq;
    private final KeventList events;
    private final NativeMemory noWait = NativeMemory.allocate(16);
    private final Poller poller;

    private KeventCalls(Kernel kernel) throws IOException {
        syscalls = kernel.syscalls();
        events = new KeventList(kernel.layout(), EVENTS);
        kq = syscalls.kqueue();
        if (kq < 0) {
            throw kernel.failure("kqueue", kq);
        }
        poller = new KqueueProvider().openPoller(EVENTS);
    }

    /** Over the kqueue of this JVM's system properties. */
    static KeventCalls open() throws IOException {
        KqueueSupport support = KqueueSupport.ofThisJvm();
        @Nullable Kernel kernel = support.kernel();
        if (kernel == null) {
            throw new IllegalStateException(support.availability().reason());
        }
        return new KeventCalls(kernel);
    }

    /** {@code kevent} without changes and without waiting, as the poller calls it; returns 0. */
    int kevent() {
        return syscalls.kevent(kq, 0, 0, events.address(), EVENTS, noWait);
    }

    /** The same within all that a poller does around it; returns 0. */
    int poll() throws IOException {
        return poller.poll(0);
    }

    @Override
    public void close() throws IOException {
        poller.close();
        syscalls.close(kq);
        events.free();
        noWait.free();
    }
}
