package io.thrust.nio;

import io.thrust.poll.Interest;
import io.thrust.poll.Mode;
import io.thrust.poll.SourceClosedException;
import io.thrust.poll.spi.AbstractSource;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import org.jspecify.annotations.Nullable;

/** A source over a non-blocking channel of the JDK, and what the poller remembers of its registration. */
abstract class NioSource extends AbstractSource {
    /** Bit of a set of directions, beside {@link #WRITE}. */
    static final int READ = 1;

    static final int WRITE = 2;
    /** Bit that goes with directions that were found ready: an error was seen. */
    static final int HANGUP = 4;

    final SelectableChannel channel;
    private final boolean borrowed;
    private final Interest directions;

    // Of the present registration; for the poller only, on its thread.

    /** Null if the channel could not be registered with the selector, see {@link NioPoller}. */
    @Nullable SelectionKey key;
    /** The directions to report; a subset of the interest. */
    int armed;
    /** The interest that the key was given last. */
    int keyOps;
    /** The list in which it stands because the key's interest is not what is armed, or null; and its place there. */
    @Nullable ChangeList changes;

    int changeIndex;
    /** Selects that found it ready in nothing that is armed, since it was reported last. */
    int staleFinds;
    /** Whether it stands in the poller's queue of sources that found no place in the batch. */
    boolean waiting;

    @Nullable NioSource previousWaiting;

    @Nullable NioSource nextWaiting;
    /** What the select with number {@link #foundBy} found ready. */
    int found;

    long foundBy;

    /**
     * Creates an open source.
     *
     * @param borrowed whether the channel belongs to the user, who closes it
     */
    NioSource(NioProvider provider, SelectableChannel channel, boolean borrowed, Interest directions) {
        super(provider);
        this.channel = channel;
        this.borrowed = borrowed;
        this.directions = directions;
    }

    @Override
    public final Interest directions() {
        return directions;
    }

    final Interest interest() {
        return registeredInterest();
    }

    final Mode mode() {
        return registeredMode();
    }

    /** The operations of a key that stand for these directions at present. */
    int keyOpsFor(int wanted) {
        return ((wanted & READ) != 0 ? SelectionKey.OP_READ : 0) | ((wanted & WRITE) != 0 ? SelectionKey.OP_WRITE : 0);
    }

    /** Whether the channel was closed because its operation failed, so that every operation fails from now on. */
    boolean hasFailed() {
        return false;
    }

    /** Whether nobody waits for its descriptor once it is closed: neither a user of the channel nor who wants the address. */
    boolean mayCloseLate() {
        return false;
    }

    /** Whether the channel belongs to the user. */
    final boolean isBorrowed() {
        return borrowed;
    }

    static int bits(Interest interest) {
        return (interest.includesRead() ? READ : 0) | (interest.includesWrite() ? WRITE : 0);
    }

    /** The exception for a channel that was found closed. */
    final SourceClosedException closed(@Nullable ClosedChannelException cause) {
        SourceClosedException closed = new SourceClosedException(
                this + (isOpen() ? " has lost its channel, which was closed elsewhere" : " is closed"));
        if (cause != null) {
            closed.initCause(cause);
        }
        return closed;
    }

    @Override
    protected final Object identity() {
        return channel;
    }

    @Override
    protected void release() throws IOException {
        if (!borrowed) {
            channel.close();
        }
    }
}
