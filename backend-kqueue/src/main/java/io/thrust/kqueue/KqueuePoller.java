package io.thrust.kqueue;

import static io.thrust.kqueue.KeventLayout.EV_ADD;
import static io.thrust.kqueue.KeventLayout.EV_CLEAR;
import static io.thrust.kqueue.KeventLayout.EV_DELETE;
import static io.thrust.kqueue.KeventLayout.EV_DISPATCH;
import static io.thrust.kqueue.KeventLayout.EV_ENABLE;
import static io.thrust.kqueue.KeventLayout.EV_EOF;
import static io.thrust.kqueue.KeventLayout.EV_ERROR;
import static io.thrust.kqueue.KeventLayout.EV_RECEIPT;

import io.thrust.poll.Interest;
import io.thrust.poll.Mode;
import io.thrust.poll.spi.AbstractPoller;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One kqueue. {@link #doPoll} makes one {@code kevent} call, which also carries the write filters to enable.
 *
 * <p>A source's filters are added for the life of its registration. In mode EDGE they have EV_CLEAR; the write filter has
 * EV_DISPATCH too, so that it is disabled when it was reported and {@link #doRearm} enables it: else each acknowledgement
 * of what was sent would be an event. In mode ONE_SHOT both have EV_DISPATCH, and the direction that was not reported is
 * dropped here when it fires, at most once.
 *
 * <p>Each change made by registering, modifying and deregistering has EV_RECEIPT: the call does nothing but the changes,
 * and its entries say how each of them went. The native memory that the kernel writes to is allocated here and freed by
 * {@link #doClose}, when no call is under way.
 */
final class KqueuePoller extends AbstractPoller<KqueueSource> {
    /** More than that are fetched by a further poll; bounds the native memory that a huge capacity would take. */
    private static final int MAX_EVENTS = 1 << 16;

    /** The most changes of one call. */
    static final int MAX_CHANGES = 64;

    /** The longest single wait; a longer one is made of several. */
    private static final long MAX_WAIT_NANOS = 86_400_000_000_000L;

    private static final int TIMESPEC = 16;

    private final Kernel kernel;
    private final Syscalls syscalls;
    private final KeventLayout layout;
    private final int kq;
    private final WakeSignal wake;
    private final KeventList changes;
    private final KeventList events;
    private final NativeMemory timeout;
    private final NativeMemory noWait;

    private final SourceTable table = new SourceTable();
    /** Whose write filter the next {@code kevent} enables. */
    private final SourceList rearmed = new SourceList();
    /** Whose write filter the kernel refused because the reader is gone: reported here in its stead. */
    private final SourceList broken = new SourceList();

    private int brokenDue;
    private boolean brokenFirst;
    private int brokenTurn;

    KqueuePoller(KqueueProvider provider, Kernel kernel, int batchCapacity) throws IOException {
        super(provider, KqueueSource.class, batchCapacity);
        this.kernel = kernel;
        this.syscalls = kernel.syscalls();
        this.layout = kernel.layout();
        // Room for the receipts of a full list of changes, whatever the capacity of the batch.
        events = new KeventList(layout, Math.max(MAX_CHANGES, Math.min(batchCapacity, MAX_EVENTS)));
        changes = new KeventList(layout, MAX_CHANGES);
        timeout = NativeMemory.allocate(TIMESPEC);
        noWait = NativeMemory.allocate(TIMESPEC);
        kq = syscalls.kqueue();
        WakeSignal opened = null;
        boolean done = false;
        try {
            String operation = "open a kqueue poller";
            if (kq < 0) {
                throw kernel.failure(operation, kq);
            }
            syscalls.fcntl(kq, kernel.numbers().fSetfd, Numbers.FD_CLOEXEC);
            opened = kernel.userEvents() ? new UserEvent(kernel, kq) : WakePipe.open(kernel, operation);
            changes.set(0, opened.ident(), opened.filter(), opened.flags() | EV_RECEIPT, 0, 0);
            if (exchange(1, operation) != 1 || errno(0, operation) != 0) {
                throw Failures.of(kernel.numbers(), operation + ": register its wake-up", errno(0, operation));
            }
            wake = opened;
            done = true;
        } finally {
            if (!done) {
                if (opened != null) {
                    opened.close();
                }
                releaseAll();
            }
        }
    }

    private void releaseAll() {
        if (kq >= 0) {
            syscalls.close(kq);
        }
        events.free();
        changes.free();
        timeout.free();
        noWait.free();
    }

    // ---- registrations

    @Override
    protected void doRegister(KqueueSource source) throws IOException {
        source.enter();
        boolean done = false;
        // What a poller left behind that was closed while the source was registered with it.
        source.rearmIndex = -1;
        source.brokenIndex = -1;
        source.brokenDue = false;
        table.add(source);
        try {
            apply(source, Interest.NONE, source.mode(), "register ");
            done = true;
        } finally {
            if (!done) {
                table.remove(source);
            }
            source.leave();
        }
    }

    @Override
    protected void doModify(KqueueSource source, Interest oldInterest, Mode oldMode) throws IOException {
        source.enter();
        try {
            apply(source, oldInterest, oldMode, "modify ");
        } finally {
            source.leave();
        }
    }

    /** Brings the kernel's filters from what they were to what the source carries, or leaves them as they were. */
    private void apply(KqueueSource source, Interest from, Mode fromMode, String verb) throws IOException {
        Interest to = source.interest();
        Mode mode = source.mode();
        // EV_CLEAR and EV_DISPATCH cannot be taken from a filter that exists, and to add it once more has it looked at
        // on
        // the BSDs but not in libkqueue: a filter that was deleted before does both everywhere.
        boolean hadWrite = from.includesWrite() && source.brokenIndex < 0;
        int count = 0;
        if (from.includesRead()) {
            delete(count++, source, layout.evfiltRead);
        }
        if (hadWrite) {
            delete(count++, source, layout.evfiltWrite);
        }
        int firstAdded = count;
        if (to.includesRead()) {
            add(count++, source, layout.evfiltRead, mode);
        }
        int writeAdded = -1;
        if (to.includesWrite()) {
            writeAdded = count;
            add(count++, source, layout.evfiltWrite, mode);
        }
        boolean isBroken = false;
        if (count > 0) {
            String operation = verb + source;
            try {
                int receipts = exchange(count, operation);
                for (int i = 0; i < count; i++) {
                    int errno = i < receipts ? errno(i, operation) : 0;
                    if (i >= receipts) {
                        throw new IOException(
                                operation + ": kevent answered " + receipts + " of " + count + " changes");
                    }
                    if (errno == 0 || (i < firstAdded && isForgotten(errno))) {
                        continue;
                    }
                    if (i == writeAdded && isReaderGone(source, errno)) {
                        isBroken = true;
                    } else {
                        throw Failures.watching(kernel.numbers(), operation, errno);
                    }
                }
            } catch (IOException e) {
                restore(source, from, fromMode, hadWrite, to, e);
                throw e;
            }
        }
        cancelRearm(source);
        setBroken(source, isBroken);
        source.armed = true;
        source.available = 0;
    }

    /** After a failure, whatever it was: has the kernel watch what it watched before, one change at a time. */
    private void restore(
            KqueueSource source, Interest from, Mode fromMode, boolean hadWrite, Interest to, IOException failure) {
        restore(source, layout.evfiltRead, from.includesRead(), to.includesRead(), fromMode, failure);
        restore(source, layout.evfiltWrite, hadWrite, to.includesWrite(), fromMode, failure);
    }

    private void restore(
            KqueueSource source, int filter, boolean had, boolean wanted, Mode fromMode, IOException failure) {
        String operation = "restore " + source;
        try {
            if (had || wanted) {
                delete(0, source, filter);
                exchange(1, operation);
            }
            if (had) {
                add(0, source, filter, fromMode);
                int errno = exchange(1, operation) == 0 ? 0 : errno(0, operation);
                if (errno != 0) {
                    failure.addSuppressed(Failures.watching(kernel.numbers(), operation, errno));
                }
            }
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    @Override
    protected void doDeregister(KqueueSource source) throws IOException {
        Interest interest = source.interest();
        boolean hasWrite = interest.includesWrite() && source.brokenIndex < 0;
        table.remove(source);
        cancelRearm(source);
        setBroken(source, false);
        int count = 0;
        if (interest.includesRead()) {
            delete(count++, source, layout.evfiltRead);
        }
        if (hasWrite) {
            delete(count++, source, layout.evfiltWrite);
        }
        if (count > 0) {
            String operation = "deregister " + source;
            int receipts = exchange(count, operation);
            for (int i = 0; i < receipts; i++) {
                int errno = errno(i, operation);
                if (errno != 0 && !isForgotten(errno)) {
                    throw Failures.watching(kernel.numbers(), operation, errno);
                }
            }
        }
    }

    private void add(int index, KqueueSource source, int filter, Mode mode) {
        int flags = switch (mode) {
            case EDGE -> filter == layout.evfiltWrite ? EV_CLEAR | EV_DISPATCH : EV_CLEAR;
            case LEVEL -> 0;
            case ONE_SHOT -> EV_DISPATCH;
        };
        changes.set(index, source.fd, filter, flags | EV_ADD | EV_RECEIPT, 0, source.token);
    }

    private void delete(int index, KqueueSource source, int filter) {
        changes.set(index, source.fd, filter, EV_DELETE | EV_RECEIPT, 0, source.token);
    }

    /** Whether a deletion found nothing: the descriptor was closed elsewhere, and its filters went with it. */
    private boolean isForgotten(int errno) {
        return errno == kernel.numbers().enoent || errno == kernel.numbers().ebadf;
    }

    /** Whether a write filter was refused because nobody reads any more. NetBSD says EBADF, of an open descriptor. */
    private boolean isReaderGone(KqueueSource source, int errno) {
        Numbers numbers = kernel.numbers();
        return errno == numbers.epipe || (errno == numbers.ebadf && syscalls.fcntl(source.fd, numbers.fGetfd, 0) >= 0);
    }

    /** Returns the number of receipts, which are in {@link #events}. */
    private int exchange(int count, String operation) throws IOException {
        while (true) {
            int receipts = syscalls.kevent(kq, changes.address(), count, events.address(), count, noWait);
            if (receipts >= 0) {
                return receipts;
            }
            // Interrupted, the changes may be made or not: making them twice is no different.
            if (-receipts != kernel.numbers().eintr) {
                throw kernel.failure(operation, receipts);
            }
        }
    }

    private int errno(int index, String operation) throws IOException {
        if ((events.flags(index) & EV_ERROR) == 0) {
            throw new IOException(operation + ": kevent answered with an event where a receipt was due");
        }
        return (int) events.data(index);
    }

    // ---- rearming

    @Override
    protected void doRearm(KqueueSource source, Interest directions) {
        if (!directions.includesWrite()) {
            return; // an event of the read filter leaves it enabled
        }
        if (source.brokenIndex >= 0) {
            setBrokenDue(source, true);
        } else if (source.rearmIndex < 0) {
            source.rearmIndex = rearmed.add(source);
        }
    }

    private void cancelRearm(KqueueSource source) {
        if (source.rearmIndex >= 0) {
            KqueueSource moved = rearmed.remove(source.rearmIndex);
            if (moved != null) {
                moved.rearmIndex = source.rearmIndex;
            }
            source.rearmIndex = -1;
        }
    }

    /** Moves the last {@code count} of the list into the list of changes. */
    private void takeRearmed(int count, int receipt) {
        for (int i = 0; i < count; i++) {
            KqueueSource source = rearmed.get(rearmed.size() - 1);
            cancelRearm(source);
            changes.set(i, source.fd, layout.evfiltWrite, EV_ENABLE | receipt, 0, source.token);
        }
    }

    // ---- polling

    @Override
    protected void doPoll(long timeoutNanos) throws IOException {
        int capacity = remaining();
        boolean brokenWaited = brokenFirst;
        brokenFirst = false;
        if (brokenWaited) {
            reportBroken();
        }
        int room = Math.min(remaining(), events.capacity());
        if (room > 0) {
            boolean waits = timeoutNanos != 0 && brokenDue == 0 && remaining() == capacity;
            fetch(room, waits ? limit(timeoutNanos) : noWait);
        }
        if (brokenDue > 0) {
            reportBroken();
            // If the kernel's events took all places, these take theirs first in the next poll.
            brokenFirst = !brokenWaited && remaining() == 0;
        }
    }

    private @Nullable NativeMemory limit(long timeoutNanos) {
        if (timeoutNanos == FOREVER) {
            return null;
        }
        long nanos = Math.min(timeoutNanos, MAX_WAIT_NANOS);
        ByteBuffer timespec = timeout.bytes();
        timespec.putLong(0, nanos / 1_000_000_000);
        timespec.putLong(8, nanos % 1_000_000_000);
        return timeout;
    }

    private void fetch(int room, @Nullable NativeMemory limit) throws IOException {
        int enabling = rearmed.size();
        while (enabling > room || enabling > MAX_CHANGES) {
            // More than can have a place for its failure in this call: the receipts need no place among the events.
            int part = Math.min(enabling, MAX_CHANGES);
            takeRearmed(part, EV_RECEIPT);
            exchange(part, "rearm");
            enabling = rearmed.size();
        }
        takeRearmed(enabling, 0);
        int fetched = syscalls.kevent(kq, changes.address(), enabling, events.address(), room, limit);
        if (fetched < 0) {
            // Made or not, the changes are made once more: enabling what is enabled is no different.
            for (int i = 0; i < enabling; i++) {
                KqueueSource source = table.get(changes.udata(i));
                if (source != null) {
                    source.rearmIndex = rearmed.add(source);
                }
            }
            if (-fetched != kernel.numbers().eintr) {
                throw kernel.failure("poll", fetched);
            }
            return;
        }
        for (int i = 0; i < fetched; i++) {
            int flags = events.flags(i);
            if ((flags & EV_ERROR) != 0) {
                continue; // of an enabled filter that was gone with its descriptor
            }
            long token = events.udata(i);
            if (token == 0) {
                wake.received();
            } else {
                KqueueSource source = table.get(token);
                if (source != null) {
                    if ((flags & EV_EOF) != 0) {
                        source.brokenBy(events.fflags(i));
                    }
                    report(source, events.filter(i), flags, events.data(i));
                }
            }
        }
    }

    private void report(KqueueSource source, int filter, int flags, long data) {
        boolean oneShot = source.mode() == Mode.ONE_SHOT;
        if (oneShot && !source.armed && !isInBatch(source)) {
            return;
        }
        boolean eof = (flags & EV_EOF) != 0;
        boolean reported;
        if (filter == layout.evfiltRead) {
            source.available = data;
            reported = addReady(source, true, false, eof);
        } else {
            reported = addReady(source, false, true, eof && !source.hasShutDownOutput());
        }
        if (reported && oneShot) {
            source.armed = false;
        }
    }

    // ---- writers whose reader is gone

    private void setBroken(KqueueSource source, boolean isBroken) {
        if (isBroken) {
            if (source.brokenIndex < 0) {
                source.brokenIndex = broken.add(source);
            }
            setBrokenDue(source, true);
        } else if (source.brokenIndex >= 0) {
            setBrokenDue(source, false);
            KqueueSource moved = broken.remove(source.brokenIndex);
            if (moved != null) {
                moved.brokenIndex = source.brokenIndex;
            }
            source.brokenIndex = -1;
        }
    }

    private void setBrokenDue(KqueueSource source, boolean due) {
        if (source.brokenDue != due) {
            source.brokenDue = due;
            brokenDue += due ? 1 : -1;
        }
    }

    private void reportBroken() {
        int count = broken.size();
        int first = brokenTurn;
        for (int i = 0; i < count; i++) {
            int index = (first + i) % count;
            KqueueSource source = broken.get(index);
            if (!source.brokenDue || (remaining() == 0 && !isInBatch(source))) {
                continue;
            }
            // They take turns if there is not room for all.
            brokenTurn = index + 1;
            Mode mode = source.mode();
            if (mode != Mode.ONE_SHOT || source.armed || isInBatch(source)) {
                addReady(source, false, true, true);
                source.armed = false;
            }
            if (mode != Mode.LEVEL) {
                setBrokenDue(source, false);
            }
        }
    }

    // ---- waking and closing

    @Override
    protected void doWakeup() {
        wake.send(noWait);
    }

    @Override
    protected void doClose() throws IOException {
        wake.close();
        releaseAll();
    }
}
