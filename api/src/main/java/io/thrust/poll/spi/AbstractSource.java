package io.thrust.poll.spi;

import io.thrust.poll.Interest;
import io.thrust.poll.Mode;
import io.thrust.poll.PollerProvider;
import io.thrust.poll.Source;
import io.thrust.poll.SourceClosedException;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Base of the sources that an {@link AbstractPoller} watches. It carries the registration, of which a source has at most
 * one, and sees to it that a source is deregistered before it is released.
 */
public abstract class AbstractSource implements Source {
    private static final VarHandle OPEN;

    static {
        try {
            OPEN = MethodHandles.lookup().findVarHandle(AbstractSource.class, "open", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final PollerProvider provider;
    private volatile boolean open = true;

    /** The poller that this source is registered with; written by that poller only. The fields below go with it. */
    volatile @Nullable AbstractPoller<?> poller;

    long key;
    Interest interest = Interest.NONE;
    Mode mode = Mode.EDGE;
    /** Index of the entry in the batch of poll {@link #pollNumber}. */
    int slot;

    long pollNumber;

    protected AbstractSource(PollerProvider provider) {
        this.provider = Objects.requireNonNull(provider, "provider");
    }

    @Override
    public final PollerProvider provider() {
        return provider;
    }

    @Override
    public final boolean isOpen() {
        return open;
    }

    /** The poller that this source is registered with, or null. */
    protected final @Nullable AbstractPoller<?> registeredWith() {
        return poller;
    }

    /** The interest of the present registration; unspecified if there is none. */
    protected final Interest registeredInterest() {
        return interest;
    }

    /** The mode of the present registration; unspecified if there is none. */
    protected final Mode registeredMode() {
        return mode;
    }

    /**
     * What the kernel knows this source by: a channel, or a descriptor's number. Two sources with equal identities are
     * the same to the kernel and cannot both be registered with one poller.
     */
    protected abstract Object identity();

    /** Releases the resource; called once, when this source is registered with no poller. */
    protected abstract void release() throws IOException;

    /** For the first line of an operation: throws if this source is closed. */
    protected final void ensureOpen() throws SourceClosedException {
        if (!open) {
            throw new SourceClosedException(this + " is closed");
        }
    }

    @Override
    public final void close() throws IOException {
        IOException failure = null;
        AbstractPoller<?> registered = poller;
        if (registered != null) {
            try {
                registered.deregisterForClose(this);
            } catch (IOException e) {
                failure = e;
            }
        }
        if (OPEN.compareAndSet(this, true, false)) {
            try {
                release();
            } catch (IOException e) {
                if (failure != null) {
                    e.addSuppressed(failure);
                }
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
