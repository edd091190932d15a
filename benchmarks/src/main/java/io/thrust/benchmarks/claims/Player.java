package io.thrust.benchmarks.claims;

import io.thrust.task.AbstractAsync;
import io.thrust.task.Waker;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** One of two tasks that wake each other in turn, on one loop or on two. The second is polled before the first. */
final class Player extends AbstractAsync<@Nullable Void> {
    private final AtomicInteger turn;
    private final int me;
    private final @Nullable Histogram nanos;
    private int roundsLeft;
    private long lastTurn;
    private volatile @Nullable Waker waker;

    @Nullable Player other;

    /**
     * Creates the player of this number, 0 or 1.
     *
     * @param turn whose turn it is; common to both
     * @param nanos what a round takes, if this one is to measure it
     */
    Player(AtomicInteger turn, int me, int rounds, @Nullable Histogram nanos) {
        this.turn = turn;
        this.me = me;
        this.roundsLeft = rounds;
        this.nanos = nanos;
    }

    /** Whether it was polled, so that it can be woken. */
    boolean waits() {
        return waker != null;
    }

    @Override
    protected boolean advance(Waker waker) {
        if (this.waker != waker) {
            this.waker = waker;
        }
        Player other = this.other;
        if (turn.get() != me || other == null || other.waker == null) {
            return PENDING;
        }
        long now = System.nanoTime();
        if (nanos != null && lastTurn != 0) {
            nanos.recordValue(now - lastTurn);
        }
        lastTurn = now;
        turn.set(1 - me);
        other.waker.wake();
        return --roundsLeft == 0 ? READY : PENDING;
    }

    @Override
    protected @Nullable Void value() {
        return null;
    }
}
