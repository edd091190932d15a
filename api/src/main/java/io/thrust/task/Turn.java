package io.thrust.task;

import java.util.function.LongSupplier;

/**
 * How long tasks are polled before I/O and timers are looked at again. A turn ends after {@link
 * LocalExecutor#POLLS_PER_TURN} polls or {@link #NANOS}, whichever comes first; but where the look before it took long,
 * as it does with a poller that is told of all the unread sources each time, not before it has lasted {@link #LOOKS} times
 * as long: so looking takes a small part of the time at most, however many tasks are ready.
 */
final class Turn {
    static final long NANOS = 500_000;
    /** How many times as long as the look before it a turn may be in any case. */
    static final int LOOKS = 16;
    /** The longest turn that a long look can bring about. */
    static final long MOST_NANOS = 8_000_000;

    /** As well, so that a clock that stands still ends a turn. */
    static final int MOST_POLLS = LOOKS * LocalExecutor.POLLS_PER_TURN;

    private static final int MOST_POLLS_UNTIMED = 8;

    private final LongSupplier clock;
    private long start;
    private boolean timed;
    private long atLeast;
    /** When the last turn ended, if tasks were left ready by it: the next begins as soon as the look is over. */
    private long end;

    private boolean looking;

    Turn(LongSupplier clock) {
        this.clock = clock;
    }

    /** A turn begins. Only if one has ended just now is the time of interest; else it is from the first check on. */
    void begin() {
        atLeast = 0;
        timed = looking;
        if (looking) {
            looking = false;
            start = clock.getAsLong();
            atLeast = Math.min(MOST_NANOS, LOOKS * (start - end));
        }
    }

    /** After how many polls to ask {@link #isOver} again: 1, 2, 4, 8, 16, 24, ...; slow ones are noticed soon. */
    static int nextCheck(int polls) {
        return polls + Math.min(polls, MOST_POLLS_UNTIMED);
    }

    /** Whether the turn is over after so many polls, though tasks are ready. */
    boolean isOver(int polls) {
        long now = clock.getAsLong();
        if (!timed) {
            timed = true;
            start = now;
        }
        long lasted = now - start;
        boolean usuallyOver = polls >= LocalExecutor.POLLS_PER_TURN || lasted > NANOS;
        if (!usuallyOver || (lasted < atLeast && polls < MOST_POLLS)) {
            return false;
        }
        end = now;
        looking = true;
        return true;
    }
}
