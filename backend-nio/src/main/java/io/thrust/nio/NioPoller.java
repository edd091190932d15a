package io.thrust.nio;

import io.thrust.poll.Interest;
import io.thrust.poll.Mode;
import io.thrust.poll.spi.AbstractPoller;
import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A poller over one {@link Selector}.
 *
 * <p>Masking is lazy: a report, a rearm or a modify only writes down what is armed. Keys that lack an operation are told
 * just before the next select; those that have one too many, before the next select that waits, which they would end. A
 * select that does not wait finds them again, and is not told on. So a source that is rearmed by the time the loop has
 * nothing else to do causes no system call, however often the loop looks in between; one that is found for nothing too
 * often is masked all the same.
 *
 * <p>Where more is ready than the batch has room for, the rest waits in a queue, and what the next select finds ready
 * is served in the order of that queue: each gets its turn, whatever order the selector has.
 *
 * <p>A source whose key is gone although it is registered (its connect failed, upon which the JDK closes the channel; or
 * the channel was closed elsewhere) is <em>stranded</em>: it counts as ready in all that is armed, so that its operation
 * tells what happened.
 */
final class NioPoller extends AbstractPoller<NioSource> {
    /** Opens a selector; tests put in one of their own. */
    interface SelectorSource {
        Selector open() throws IOException;
    }

    /** Below it, what a select found is all that is ready: no JDK selector fetches fewer at once. */
    private static final int LEAST_FETCH = 256;

    /** Finding a source once more costs a fraction of masking and unmasking it; so many times it costs as much. */
    private static final int MOST_STALE_FINDS = 8;

    /** Finding so many once more costs about as much as it does to close one connection. */
    private static final int CROWD_PER_CLOSE = 16;

    private static final long NANOS_PER_MILLI = 1_000_000;
    /** A day. Longer waits come back and wait again. */
    private static final long MAX_TIMEOUT_MILLIS = 86_400_000;

    private final SelectorSource selectors;
    private final SpinGuard guard;
    /** One object for all selects, as each would allocate another. */
    private final Consumer<SelectionKey> report = this::found;

    private final Consumer<SelectionKey> ignore = key -> {};
    private final List<NioStream> connectEnds = new ArrayList<>();
    private final List<NioSource> stranded = new ArrayList<>();

    /** Keys to be told before the next select. */
    private final ChangeList due = new ChangeList();
    /** Keys to be told before the next select that waits. */
    private final ChangeList dueBeforeWait = new ChangeList();

    /** Ends of the queue; null if it is empty. */
    private @Nullable NioSource firstWaiting;

    private @Nullable NioSource lastWaiting;

    /** Whether the present select may report to the batch as it finds, there being no queue. */
    private boolean direct;

    private long selectNumber;
    /** What the last select found. */
    private int crowd;
    /** Keys that were cancelled since. */
    private int cancelled;
    /** Read by whoever wakes. */
    private volatile Selector selector;

    NioPoller(NioProvider provider, int batchCapacity, SelectorSource selectors) throws IOException {
        super(provider, NioSource.class, batchCapacity);
        this.selectors = selectors;
        this.guard = new SpinGuard(this);
        try {
            selector = selectors.open();
        } catch (IOException e) {
            throw NioErrors.map("open a poller", e);
        }
    }

    // ---- registrations

    @Override
    protected void doRegister(NioSource source) throws IOException {
        source.key = null;
        source.changes = null;
        source.staleFinds = 0;
        source.waiting = false;
        source.foundBy = 0;
        source.armed = NioSource.bits(source.interest());
        if (source.hasFailed()) {
            stranded.add(source);
            return;
        }
        try {
            try {
                join(source, selector);
            } catch (CancelledKeyException e) {
                // A key of before that the selector could not let go of when it was asked to.
                flush();
                join(source, selector);
            }
        } catch (CancelledKeyException e) {
            // Cancelled by somebody who closes the channel meanwhile.
            throw source.closed(null);
        } catch (ClosedChannelException e) {
            throw source.closed(e);
        } catch (IllegalBlockingModeException e) {
            throw new IllegalArgumentException(
                    source + " is in blocking mode and cannot be watched by " + this
                            + "; call configureBlocking(false) before it is registered",
                    e);
        }
    }

    private static void join(NioSource source, Selector selector) throws ClosedChannelException {
        int ops = source.keyOpsFor(source.armed);
        source.key = source.channel.register(selector, ops, source);
        source.keyOps = ops;
    }

    @Override
    protected void doModify(NioSource source, Interest oldInterest, Mode oldMode) throws IOException {
        if (!source.channel.isOpen() && !source.hasFailed()) {
            throw source.closed(null);
        }
        source.armed = NioSource.bits(source.interest());
        changed(source);
    }

    @Override
    protected void doRearm(NioSource source, Interest directions) {
        source.armed |= NioSource.bits(directions);
        changed(source);
    }

    @Override
    protected void doDeregister(NioSource source) throws IOException {
        if (cancel(source)) {
            flush();
        }
    }

    /**
     * A connection that is closed while a crowd is ready may keep its descriptor until the next poll, as some do that go
     * with it: each flush finds the crowd again, and when all connections end at once that would be most of the work.
     */
    @Override
    protected void doDeregisterForClose(NioSource source) throws IOException {
        if (cancel(source) && (++cancelled >= crowd / CROWD_PER_CLOSE || !source.mayCloseLate())) {
            flush();
        }
    }

    /** Returns whether there was a key, which the selector has to let go of yet. */
    private boolean cancel(NioSource source) {
        ChangeList changes = source.changes;
        if (changes != null) {
            changes.remove(source);
        }
        if (source.waiting) {
            unqueue(source);
        }
        stranded.remove(source);
        SelectionKey key = source.key;
        if (key == null) {
            return false;
        }
        source.key = null;
        key.cancel();
        return true;
    }

    /**
     * Has the selector let go of cancelled keys. Until then their channels cannot be registered again and keep their
     * descriptors, even if closed. What this select finds ready the next one finds again.
     */
    private void flush() throws IOException {
        cancelled = 0;
        try {
            crowd = selector.selectNow(ignore);
        } catch (IOException e) {
            // The selector may have stumbled over a key that it has removed now.
            try {
                crowd = selector.selectNow(ignore);
            } catch (IOException again) {
                again.addSuppressed(e);
                throw NioErrors.map("deregister from " + this, again);
            }
        }
    }

    /** Has the key of a registered source brought up to date, in time. */
    void changed(NioSource source) {
        put(source, listFor(source));
    }

    private static void put(NioSource source, @Nullable ChangeList list) {
        ChangeList present = source.changes;
        if (present != list) {
            if (present != null) {
                present.remove(source);
            }
            if (list != null) {
                list.add(source);
            }
        }
    }

    private @Nullable ChangeList listFor(NioSource source) {
        SelectionKey key = source.key;
        if (key == null) {
            return null;
        }
        int ops = source.keyOpsFor(source.armed);
        if ((ops & ~source.keyOps) != 0 || !key.isValid()) {
            return due;
        }
        return ops != source.keyOps ? dueBeforeWait : null;
    }

    private void apply(ChangeList changes) {
        NioSource source;
        while ((source = changes.poll()) != null) {
            SelectionKey key = source.key;
            if (key != null) {
                int ops = source.keyOpsFor(source.armed);
                try {
                    if (!key.isValid()) {
                        strand(source);
                    } else if (ops != source.keyOps) {
                        key.interestOps(ops);
                        source.keyOps = ops;
                    }
                } catch (CancelledKeyException e) {
                    strand(source);
                }
            }
        }
    }

    private void strand(NioSource source) {
        source.keyOps = 0;
        if (!stranded.contains(source)) {
            stranded.add(source);
        }
    }

    // ---- polling

    @Override
    protected void doPoll(long timeoutNanos) throws IOException {
        apply(due);
        direct = firstWaiting == null;
        selectNumber++;
        long timeout = offerStranded() ? 0 : timeoutNanos;
        if (timeout != 0) {
            apply(dueBeforeWait);
        }
        int fetched = select(timeout);
        crowd = fetched;
        cancelled = 0;
        for (int i = 0; i < connectEnds.size(); i++) {
            connectEnded(connectEnds.get(i));
        }
        connectEnds.clear();
        if (!direct) {
            serveQueue(fetched < LEAST_FETCH);
        }
    }

    private int select(long timeoutNanos) throws IOException {
        try {
            int fetched = timeoutNanos == 0 ? selector.selectNow(report) : selectBlocking(timeoutNanos);
            guard.succeeded(fetched);
            return fetched;
        } catch (IOException e) {
            // Perhaps one broken channel's, which the selector has removed by now; perhaps for good.
            if (guard.failed(e)) {
                rebuild();
            }
            return 0;
        }
    }

    private int selectBlocking(long timeoutNanos) throws IOException {
        boolean forever = timeoutNanos == FOREVER;
        long millis = forever ? 0 : millis(timeoutNanos);
        long start = forever ? 0 : System.nanoTime();
        // Left set, it would end each select at once.
        boolean interrupted = Thread.interrupted();
        boolean interruptedMeanwhile;
        int fetched;
        try {
            fetched = selector.select(report, millis);
        } finally {
            interruptedMeanwhile = Thread.currentThread().isInterrupted();
            if (interrupted && !interruptedMeanwhile) {
                Thread.currentThread().interrupt();
            }
        }
        if (interruptedMeanwhile) {
            guard.expectEmptyReturn();
        } else if (fetched == 0) {
            if (isWakeupPending()) {
                guard.expectEmptyReturn();
            } else if (forever || System.nanoTime() - start < millis * NANOS_PER_MILLI) {
                if (guard.returnedEarly()) {
                    rebuild();
                }
            } else {
                guard.waited();
            }
        }
        return fetched;
    }

    /** Rounded up; at least 1, as a selector takes 0 for no limit. */
    private static long millis(long nanos) {
        long millis = nanos / NANOS_PER_MILLI + (nanos % NANOS_PER_MILLI == 0 ? 0 : 1);
        return Math.min(millis, MAX_TIMEOUT_MILLIS);
    }

    /** Called by the selector; must not throw, as that would lose what the selector has yet to tell. */
    private void found(SelectionKey key) {
        NioSource source = (NioSource) key.attachment();
        int ready;
        try {
            ready = key.readyOps();
        } catch (CancelledKeyException e) {
            changed(source);
            return;
        }
        if ((ready & SelectionKey.OP_CONNECT) != 0) {
            connectEnds.add((NioStream) source);
            return;
        }
        int directions = ((ready & (SelectionKey.OP_READ | SelectionKey.OP_ACCEPT)) != 0 ? NioSource.READ : 0)
                | ((ready & SelectionKey.OP_WRITE) != 0 ? NioSource.WRITE : 0);
        if ((directions & source.armed) != 0) {
            offer(source, directions & source.armed);
        } else if (++source.staleFinds >= MOST_STALE_FINDS && source.changes == dueBeforeWait) {
            put(source, due);
        }
    }

    private void connectEnded(NioStream stream) {
        if (stream.settle()) {
            offer(stream, stream.armed & NioSource.WRITE);
        } else if (stream.hasFailed()) {
            offer(stream, stream.armed | NioSource.HANGUP);
        } else {
            changed(stream);
        }
    }

    private boolean offerStranded() {
        boolean any = false;
        for (int i = 0; i < stranded.size(); i++) {
            NioSource source = stranded.get(i);
            if (source.armed != 0) {
                offer(source, source.armed | NioSource.HANGUP);
                any = true;
            }
        }
        return any;
    }

    private void offer(NioSource source, int ready) {
        if (direct && (remaining() > 0 || isInBatch(source))) {
            report(source, ready);
            return;
        }
        if (source.foundBy != selectNumber) {
            source.foundBy = selectNumber;
            source.found = 0;
        }
        source.found |= ready;
        if (!source.waiting) {
            enqueue(source);
        }
    }

    private void report(NioSource source, int ready) {
        boolean read = (ready & NioSource.READ) != 0;
        boolean write = (ready & NioSource.WRITE) != 0;
        if (!addReady(source, read, write, (ready & NioSource.HANGUP) != 0)) {
            return;
        }
        source.staleFinds = 0;
        switch (source.mode()) {
            case EDGE -> {
                source.armed &= ~ready;
                changed(source);
            }
            case ONE_SHOT -> {
                source.armed = 0;
                changed(source);
            }
            case LEVEL -> {}
        }
    }

    // ---- the queue of those that found no place

    /**
     * Reports those of the queue that the present select found ready, from its head.
     *
     * @param complete whether the select found all that is ready, so that the others have lost their turn
     */
    private void serveQueue(boolean complete) {
        NioSource source = firstWaiting;
        while (source != null && remaining() > 0) {
            NioSource next = source.nextWaiting;
            if (source.foundBy == selectNumber) {
                unqueue(source);
                report(source, source.found);
            } else if (complete) {
                unqueue(source);
            }
            source = next;
        }
    }

    private void enqueue(NioSource source) {
        source.waiting = true;
        source.nextWaiting = null;
        source.previousWaiting = lastWaiting;
        if (lastWaiting == null) {
            firstWaiting = source;
        } else {
            lastWaiting.nextWaiting = source;
        }
        lastWaiting = source;
    }

    private void unqueue(NioSource source) {
        NioSource previous = source.previousWaiting;
        NioSource next = source.nextWaiting;
        if (previous == null) {
            firstWaiting = next;
        } else {
            previous.nextWaiting = next;
        }
        if (next == null) {
            lastWaiting = previous;
        } else {
            next.previousWaiting = previous;
        }
        source.waiting = false;
        source.previousWaiting = null;
        source.nextWaiting = null;
    }

    // ---- the selector itself

    /** Moves all registrations to a new selector. A wake-up meant for the old one is seen by the caller of doPoll. */
    private void rebuild() {
        Selector old = selector;
        Selector fresh;
        try {
            fresh = selectors.open();
        } catch (IOException e) {
            guard.logFailedRebuild(e);
            return;
        }
        for (SelectionKey key : old.keys()) {
            NioSource source = (NioSource) key.attachment();
            if (source.key == key && isRegistered(source)) {
                try {
                    join(source, fresh);
                } catch (ClosedChannelException | CancelledKeyException | IllegalBlockingModeException e) {
                    strand(source);
                }
            }
        }
        selector = fresh;
        try {
            old.close();
        } catch (IOException e) {
            guard.logFailedRebuild(e);
        }
    }

    @Override
    protected void doWakeup() {
        selector.wakeup();
    }

    @Override
    protected void doClose() throws IOException {
        selector.close();
    }
}
