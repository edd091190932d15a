package io.thrust.kqueue;

/** A wake-up by EVFILT_USER: one {@code kevent} call triggers it, and fetching it clears it. */
final class UserEvent implements WakeSignal {
    private final Kernel kernel;
    private final int kq;
    /** Read by the kernel only, so by any number of threads at once. */
    private final KeventList trigger;

    UserEvent(Kernel kernel, int kq) {
        this.kernel = kernel;
        this.kq = kq;
        trigger = new KeventList(kernel.layout(), 1);
        // No flags: with EV_CLEAR in it the trigger would be lost.
        trigger.set(0, ident(), filter(), 0, KeventLayout.NOTE_TRIGGER, 0);
    }

    @Override
    public long ident() {
        return 0;
    }

    @Override
    public int filter() {
        return kernel.layout().evfiltUser;
    }

    @Override
    public int flags() {
        return KeventLayout.EV_ADD | KeventLayout.EV_CLEAR;
    }

    @Override
    public void send(NativeMemory noWait) {
        int result;
        do {
            result = kernel.syscalls().kevent(kq, trigger.address(), 1, 0, 0, noWait);
        } while (-result == kernel.numbers().eintr);
        if (result < 0) {
            throw new IllegalStateException(
                    "a wake-up failed: " + kernel.numbers().errnoWords(-result));
        }
    }

    @Override
    public void received() {}

    @Override
    public void close() {
        trigger.free();
    }
}
