package io.thrust.kqueue;

import io.thrust.poll.Availability;

/**
 * Tries a kqueue before it is relied on: that it can be opened, that two entries of one array come back as they should
 * (so the size of an entry is right), and whether there are user events. What it opens it closes.
 */
final class KqueueProbe {
    private final Syscalls syscalls;
    private final KeventLayout layout;
    private final Numbers numbers;

    private KqueueProbe(Syscalls syscalls, KeventLayout layout, Numbers numbers) {
        this.syscalls = syscalls;
        this.layout = layout;
        this.numbers = numbers;
    }

    static KqueueSupport probe(Syscalls syscalls, KeventLayout layout, Numbers numbers) {
        return new KqueueProbe(syscalls, layout, numbers).run();
    }

    private KqueueSupport run() {
        int kq = syscalls.kqueue();
        if (kq < 0) {
            return not("kqueue failed: " + numbers.errnoWords(-kq));
        }
        KeventList list = new KeventList(layout, 4);
        NativeMemory noWait = NativeMemory.allocate(16);
        try {
            return run(kq, list, noWait);
        } finally {
            noWait.free();
            list.free();
            syscalls.close(kq);
        }
    }

    private KqueueSupport run(int kq, KeventList list, NativeMemory noWait) {
        // Deleting what is not there: the receipts say so, and bring back what was asked.
        long[] idents = {0x7fff_fff0, 0x7fff_fff1};
        for (int i = 0; i < 2; i++) {
            int flags = KeventLayout.EV_DELETE | KeventLayout.EV_RECEIPT;
            list.set(i, idents[i], filter(i), flags, 0, -1 - i);
        }
        int receipts = syscalls.kevent(kq, list.address(), 2, list.address(), 2, noWait);
        if (receipts < 0) {
            return not("kevent failed: " + numbers.errnoWords(-receipts));
        }
        boolean fits = receipts == 2;
        for (int i = 0; fits && i < 2; i++) {
            fits = list.ident(i) == idents[i]
                    && list.filter(i) == filter(i)
                    && (list.flags(i) & KeventLayout.EV_ERROR) != 0
                    && list.udata(i) == -1 - i
                    && isMissing((int) list.data(i));
        }
        if (!fits) {
            return not("kevent does not answer as layout " + layout.layoutName + " (" + layout.size
                    + " bytes) wants it; choose another one with -D" + KqueueSupport.LAYOUT + "=NAME");
        }
        int flags = KeventLayout.EV_ADD | KeventLayout.EV_CLEAR | KeventLayout.EV_RECEIPT;
        list.set(0, 0, layout.evfiltUser, flags, 0, 0);
        boolean userEvents = syscalls.kevent(kq, list.address(), 1, list.address(), 1, noWait) == 1
                && (list.flags(0) & KeventLayout.EV_ERROR) != 0
                && list.data(0) == 0;
        // Loaded now: it is needed when there is no descriptor left to load it with.
        Failures.of(numbers, "load", numbers.emfile);
        return KqueueSupport.of(new Kernel(syscalls, layout, numbers, userEvents));
    }

    private int filter(int index) {
        return index == 0 ? layout.evfiltWrite : layout.evfiltRead;
    }

    private boolean isMissing(int errno) {
        return errno == numbers.ebadf || errno == numbers.enoent;
    }

    private static KqueueSupport not(String reason) {
        return new KqueueSupport(Availability.unavailable(reason, null), null);
    }
}
