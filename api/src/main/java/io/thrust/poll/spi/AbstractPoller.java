package io.thrust.poll.spi;

import io.thrust.poll.AlreadyRegisteredException;
import io.thrust.poll.ForeignSourceException;
import io.thrust.poll.Interest;
import io.thrust.poll.Mode;
import io.thrust.poll.NotRegisteredException;
import io.thrust.poll.Poller;
import io.thrust.poll.PollerClosedException;
import io.thrust.poll.PollerOwnershipException;
import io.thrust.poll.PollerProvider;
import io.thrust.poll.ReadyEvents;
import io.thrust.poll.Source;
import io.thrust.poll.SourceClosedException;
import io.thrust.poll.UnsupportedModeException;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The part of a poller that does not depend on a kernel: the table of registrations, ownership by one thread, merged
 * wake-ups, one absolute deadline for a poll, blanking, and closing. A backend supplies the {@code do...} methods; but
 * for {@link #doWakeup} and {@link #doRearm} they are called by one thread at a time, never two at once, and not after
 * {@link #doClose}.
 *
 * @param <S> the backend's own class of sources
 */
public abstract class AbstractPoller<S extends AbstractSource> implements Poller {
    /** A wake-up was sent and no poll has returned since. */
    private static final int WOKEN = 1;
    /** The owner is inside {@link #poll}. */
    private static final int IN_POLL = 1 << 1;
    /** The owner is inside another method that uses native resources. */
    private static final int IN_CALL = 1 << 2;
    /** {@link #close} was called. */
    private static final int CLOSING = 1 << 3;
    /** Everything is released. */
    private static final int FREED = 1 << 4;
    /** One thread inside {@link #doWakeup}; the upper bits count them. */
    private static final int WAKING = 1 << 5;

    private static final VarHandle STATE;
    private static final VarHandle OWNER;
    private static final AtomicLong COUNTER = new AtomicLong();

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            STATE = lookup.findVarHandle(AbstractPoller.class, "state", int.class);
            OWNER = lookup.findVarHandle(AbstractPoller.class, "owner", Thread.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        // Its classes are loaded while there are descriptors to load them with.
        SocketError.TOO_MANY_OPEN_FILES.exception("load");
    }

    private final PollerProvider provider;
    private final Class<S> sourceType;
    private final String name;
    private final Map<Object, S> table = new HashMap<>();
    private final ReadyBatch batch;
    private long pollNumber;

    private volatile int state;
    private volatile @Nullable Thread owner;

    /**
     * Creates an open poller without registrations.
     *
     * @param batchCapacity see {@link PollerProvider#openPoller}; checked here
     */
    protected AbstractPoller(PollerProvider provider, Class<S> sourceType, int batchCapacity) {
        this.provider = Objects.requireNonNull(provider, "provider");
        this.sourceType = Objects.requireNonNull(sourceType, "sourceType");
        this.batch = new ReadyBatch(batchCapacity);
        this.name = provider.name() + " poller #" + COUNTER.incrementAndGet();
    }

    // ---- what a backend supplies

    /**
     * Tells the kernel of a new registration, whose interest and mode the source carries. On failure nothing may stay
     * behind.
     */
    protected abstract void doRegister(S source) throws IOException;

    /**
     * Tells the kernel of a changed interest or mode, which the source carries already, and has the readiness looked at
     * anew even if both are as before.
     *
     * @param oldInterest what it was; the source is given it back if this method throws
     * @param oldMode likewise
     */
    protected abstract void doModify(S source, Interest oldInterest, Mode oldMode) throws IOException;

    /**
     * Takes note that directions of a source in {@link Mode#EDGE} are to be reported again. It writes to Java objects of
     * the backend and touches nothing native: what has to be told to the kernel is told by the next {@link #doPoll}. As
     * it stands on the path of each read it is not guarded as the others are: {@link #doClose} may run beside it, in
     * another thread.
     */
    protected abstract void doRearm(S source, Interest directions);

    /** Has the kernel forget the source, of which no event may be added from then on. */
    protected abstract void doDeregister(S source) throws IOException;

    /**
     * Waits once and adds what is ready with {@link #addReady}, at most {@link #remaining} registrations. It may return
     * early for any reason, with or without events: the caller judges by wake-ups and the deadline.
     *
     * @param timeoutNanos 0 does not wait; {@link #FOREVER} has no limit; anything else is positive, and may be capped
     */
    protected abstract void doPoll(long timeoutNanos) throws IOException;

    /**
     * Makes a {@link #doPoll} that waits, or is about to, return. Called by any thread, several at once, each time after
     * {@link #isWakeupPending} became true. A signal that arrives when no doPoll is under way may be kept for the next.
     */
    protected abstract void doWakeup();

    /**
     * As {@link #doDeregister}, for a source that is closed next: what that leaves for later must be done by the end of the
     * next {@link #doPoll}.
     */
    protected void doDeregisterForClose(S source) throws IOException {
        doDeregister(source);
    }

    /** Releases the native resources. The sources are told afterwards that they are not registered. */
    protected abstract void doClose() throws IOException;

    // ---- what a backend may call

    /** Whether the present poll is to end; live, for a backend that decides late whether it may block. */
    protected final boolean isWakeupPending() {
        return (state & (WOKEN | CLOSING)) != 0;
    }

    /** How many registrations can still be added to the batch. */
    protected final int remaining() {
        return batch.remaining();
    }

    /** Whether the batch of this poll has an entry for the source, so that {@link #addReady} takes no further place. */
    protected final boolean isInBatch(S source) {
        return source.pollNumber == pollNumber;
    }

    /** Whether this source is registered with this poller; while {@link #doRegister} runs it is not yet. */
    protected final boolean isRegistered(S source) {
        return source.poller == this;
    }

    /**
     * From within {@link #doPoll}: adds what the kernel reported for a registered source, merged with what this poll
     * reported for it before. Directions outside of its interest are dropped; a hang-up without a direction that is left
     * stands for all of its interest.
     *
     * @return whether anything was reported
     */
    protected final boolean addReady(S source, boolean readable, boolean writable, boolean hangup) {
        Interest interest = source.interest;
        int watched = (interest.includesRead() ? ReadyBatch.READABLE : 0)
                | (interest.includesWrite() ? ReadyBatch.WRITABLE : 0);
        int flags = watched & ((readable ? ReadyBatch.READABLE : 0) | (writable ? ReadyBatch.WRITABLE : 0));
        if (hangup) {
            if (flags == 0) {
                flags = watched;
            }
            if (flags != 0) {
                flags |= ReadyBatch.HANGUP;
            }
        }
        if (flags == 0) {
            return false;
        }
        if (source.pollNumber == pollNumber) {
            batch.merge(source.slot, flags);
        } else {
            source.slot = batch.add(source.key, flags);
            source.pollNumber = pollNumber;
        }
        return true;
    }

    // ---- the contract

    @Override
    public final PollerProvider provider() {
        return provider;
    }

    @Override
    public final ReadyEvents events() {
        return batch;
    }

    @Override
    public final boolean isOpen() {
        return (state & CLOSING) == 0;
    }

    @Override
    public final void register(Source source, long key, Interest interest, Mode mode) throws IOException {
        enter(IN_CALL);
        try {
            S own = own(source);
            check(own, interest, mode);
            AbstractPoller<?> other = own.poller;
            if (other != null) {
                throw new AlreadyRegisteredException(
                        own + " is registered with " + (other == this ? "this poller, " : "") + other
                                + " already; deregister it first"
                                + (other == this ? ", or change its registration with modify" : ""));
            }
            if (!own.isOpen()) {
                throw new SourceClosedException(own + " is closed and cannot be registered");
            }
            S same = table.putIfAbsent(own.identity(), own);
            if (same != null) {
                throw new AlreadyRegisteredException(own + " is the same to the system as " + same
                        + ", which is registered with " + this
                        + "; deregister that one first (if its descriptor was closed elsewhere: before that)");
            }
            own.key = key;
            own.interest = interest;
            own.mode = mode;
            own.pollNumber = 0;
            boolean done = false;
            try {
                doRegister(own);
                own.poller = this;
                done = true;
            } finally {
                if (!done) {
                    table.remove(own.identity());
                }
            }
        } finally {
            exit(IN_CALL);
        }
    }

    @Override
    public final void modify(Source source, long key, Interest interest, Mode mode) throws IOException {
        enter(IN_CALL);
        try {
            S own = registered(source);
            check(own, interest, mode);
            Interest oldInterest = own.interest;
            Mode oldMode = own.mode;
            own.interest = interest;
            own.mode = mode;
            boolean done = false;
            try {
                doModify(own, oldInterest, oldMode);
                own.key = key;
                done = true;
            } finally {
                if (!done) {
                    own.interest = oldInterest;
                    own.mode = oldMode;
                }
            }
            blank(own);
        } finally {
            exit(IN_CALL);
        }
    }

    @Override
    public final void rearm(Source source, Interest directions) {
        ensureUsable();
        if (!sourceType.isInstance(source) || ((AbstractSource) source).poller != this) {
            // Another thread may have closed this poller, and taken its registrations away, just now.
            ensureUsable();
            throw notRegistered(source);
        }
        S own = sourceType.cast(source);
        if (!own.interest.includes(directions)) {
            throw new IllegalArgumentException("cannot rearm " + directions + " of " + own
                    + ", which is registered for " + own.interest + "; change its interest with modify");
        }
        if (own.mode == Mode.EDGE) {
            if (directions != Interest.NONE) {
                doRearm(own, directions);
            }
        } else if (own.mode == Mode.ONE_SHOT) {
            throw new IllegalStateException(
                    own + " is registered in mode ONE_SHOT, which modify arms again, not rearm");
        }
    }

    @Override
    public final void deregister(Source source) throws IOException {
        enter(IN_CALL);
        try {
            S own = registered(source);
            remove(own);
            doDeregister(own);
        } finally {
            exit(IN_CALL);
        }
    }

    /** {@link AbstractSource#close} of a source that was registered with this poller a moment ago. */
    final void deregisterForClose(AbstractSource source) throws IOException {
        try {
            enter(IN_CALL);
        } catch (PollerClosedException e) {
            // Another thread releases this poller just now, and must not find the source closed under it.
            while ((state & FREED) == 0) {
                Thread.yield();
            }
            return;
        }
        try {
            if (source.poller == this) {
                S own = sourceType.cast(source);
                remove(own);
                doDeregisterForClose(own);
            }
        } finally {
            exit(IN_CALL);
        }
    }

    private void remove(S source) {
        blank(source);
        table.remove(source.identity());
        source.poller = null;
    }

    @Override
    public final int poll(long timeoutNanos) throws IOException {
        if (timeoutNanos < 0 && timeoutNanos != FOREVER) {
            throw new IllegalArgumentException(
                    "timeout is " + timeoutNanos + " ns, but must be 0 or more, or Poller.FOREVER");
        }
        int entered = enter(IN_POLL);
        boolean returned = false;
        try {
            pollNumber++;
            batch.clear();
            await(timeoutNanos, (entered & WOKEN) != 0);
            returned = true;
        } finally {
            // Consumes the wake-up: one that is sent from here on ends the next poll.
            if ((exit(IN_POLL | WOKEN) & CLOSING) != 0 || !returned) {
                batch.clear();
            }
        }
        return batch.size();
    }

    private void await(long timeoutNanos, boolean woken) throws IOException {
        if (timeoutNanos == 0 || woken) {
            doPoll(0);
            return;
        }
        long start = timeoutNanos == FOREVER ? 0 : System.nanoTime();
        long left = timeoutNanos;
        while (true) {
            doPoll(left);
            if (batch.size() > 0 || isWakeupPending()) {
                return;
            }
            if (timeoutNanos != FOREVER) {
                left = timeoutNanos - (System.nanoTime() - start);
                if (left <= 0) {
                    return;
                }
            }
        }
    }

    @Override
    public final void wakeup() {
        int seen = state;
        while (true) {
            if ((seen & (WOKEN | CLOSING)) != 0) {
                return;
            }
            // Outside of a poll the flag is enough: a poll looks at it after it has announced itself.
            boolean inPoll = (seen & IN_POLL) != 0;
            int next = (seen | WOKEN) + (inPoll ? WAKING : 0);
            int witness = (int) STATE.compareAndExchange(this, seen, next);
            if (witness == seen) {
                if (inPoll) {
                    signal();
                }
                return;
            }
            seen = witness;
        }
    }

    /** Having counted itself in as {@link #WAKING}, so that the handle is not released (and reused) meanwhile. */
    private void signal() {
        try {
            doWakeup();
        } finally {
            STATE.getAndAdd(this, -WAKING);
        }
    }

    @Override
    public final void close() throws IOException {
        int seen = state;
        while (true) {
            if ((seen & CLOSING) != 0) {
                return;
            }
            boolean inPoll = (seen & IN_POLL) != 0;
            int next = (seen | CLOSING) + (inPoll ? WAKING : 0);
            int witness = (int) STATE.compareAndExchange(this, seen, next);
            if (witness == seen) {
                if (inPoll) {
                    signal();
                } else if ((seen & IN_CALL) == 0) {
                    free();
                }
                return;
            }
            seen = witness;
        }
    }

    /** By whoever saw {@link #CLOSING} when the owner was, or had just come, outside. */
    private void free() throws IOException {
        while (state >= WAKING) {
            Thread.yield();
        }
        try {
            doClose();
        } finally {
            for (S source : table.values()) {
                source.poller = null;
            }
            table.clear();
            STATE.getAndBitwiseOr(this, FREED);
        }
    }

    // ---- guards

    /** Keeps {@link #close} from releasing anything until {@link #exit}; returns the state before. */
    private int enter(int bit) {
        ensureUsable();
        int before = (int) STATE.getAndBitwiseOr(this, bit);
        if ((before & CLOSING) != 0) {
            STATE.getAndBitwiseAnd(this, ~bit);
            throw closed();
        }
        return before;
    }

    /** Returns the state before. */
    private int exit(int bits) throws IOException {
        int before = (int) STATE.getAndBitwiseAnd(this, ~bits);
        if ((before & CLOSING) != 0) {
            free();
        }
        return before;
    }

    private void ensureUsable() {
        if ((state & CLOSING) != 0) {
            throw closed();
        }
        Thread current = Thread.currentThread();
        Thread present = owner;
        if (present != current) {
            if (present == null) {
                present = (Thread) OWNER.compareAndExchange(this, (Thread) null, current);
            }
            if (present != null) {
                throw new PollerOwnershipException(this + " belongs to thread \"" + present.getName()
                        + "\" and was used by thread \"" + current.getName()
                        + "\"; from another thread only wakeup and close may be called");
            }
        }
    }

    private PollerClosedException closed() {
        return new PollerClosedException(this + " is closed");
    }

    private S own(Source source) {
        Objects.requireNonNull(source, "source");
        if (!sourceType.isInstance(source)) {
            throw new ForeignSourceException(
                    source + " was made by provider \"" + source.provider().name()
                            + "\", but " + this + " watches sources of provider \"" + provider.name()
                            + "\" only; open the source with that one");
        }
        return sourceType.cast(source);
    }

    private S registered(Source source) {
        S own = own(source);
        if (own.poller != this) {
            throw notRegistered(own);
        }
        return own;
    }

    private NotRegisteredException notRegistered(Source source) {
        AbstractPoller<?> other = own(source).poller;
        return new NotRegisteredException(source + " is not registered with " + this
                + (other == null ? "" : ", but with " + other) + "; register it first");
    }

    private void check(S source, Interest interest, Mode mode) {
        Objects.requireNonNull(interest, "interest");
        Objects.requireNonNull(mode, "mode");
        if (!provider.modes().contains(mode)) {
            throw new UnsupportedModeException(
                    "provider \"" + provider.name() + "\" has no mode " + mode + ", but " + provider.modes());
        }
        if (!source.directions().includes(interest)) {
            throw new IllegalArgumentException(
                    source + " has direction " + source.directions() + " only and cannot be watched for " + interest);
        }
    }

    private void blank(S source) {
        if (source.pollNumber == pollNumber && source.slot < batch.size()) {
            batch.blank(source.slot);
            source.pollNumber = 0;
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
