package io.thrust.task;

import org.jspecify.annotations.Nullable;

/**
 * A computation that knows how far it is, for writing an {@link Async} of one's own: it is advanced no more once it has
 * ended, its result is there only after it was ready, and it is released at most once.
 *
 * @param <T> the type of the result
 */
public abstract class AbstractAsync<T extends @Nullable Object> implements Async<T> {
    private static final byte UNDER_WAY = 0;
    private static final byte DONE = 1;
    private static final byte FAILED = 2;
    private static final byte CANCELLED = 3;
    private static final byte HANDED_OVER = 4;

    private byte state;

    /** For subclasses. */
    protected AbstractAsync() {}

    /**
     * {@link Async#poll}, but called only while the computation is under way. If it throws, it has ended, and holds
     * nothing that {@link #release} would have to release.
     */
    protected abstract boolean advance(Waker waker) throws Exception;

    /** The result, after {@link #advance} returned {@link #READY}. */
    protected abstract T value();

    /** Gives up: called at most once, and only if the computation has not ended. It may not have been advanced at all. */
    protected void release() {}

    /**
     * {@inheritDoc}
     *
     * @throws IllegalStateException if it has ended
     */
    @Override
    public final boolean poll(Waker waker) throws Exception {
        if (state != UNDER_WAY) {
            throw new IllegalStateException("polled again after it " + ending());
        }
        // Until it is known better: an exception ends it.
        state = FAILED;
        boolean ready = advance(waker);
        state = ready ? DONE : UNDER_WAY;
        return ready;
    }

    private String ending() {
        return switch (state) {
            case DONE -> "was ready";
            case FAILED -> "had failed";
            case CANCELLED -> "was cancelled";
            default -> "was handed over to another computation";
        };
    }

    @Override
    public final T result() {
        if (state != DONE) {
            throw new IllegalStateException(state == UNDER_WAY ? "not ready" : "there is no result: it " + ending());
        }
        return value();
    }

    @Override
    public final void cancel() {
        if (state == UNDER_WAY) {
            state = CANCELLED;
            release();
        }
    }

    /** Another computation goes on with what this one was made of. */
    final void handOver() {
        state = HANDED_OVER;
    }

    /** Whether it has neither ended nor was handed over. */
    final boolean isUnderWay() {
        return state == UNDER_WAY;
    }
}
