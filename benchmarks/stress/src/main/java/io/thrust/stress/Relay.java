package io.thrust.stress;

import io.thrust.task.Async;
import io.thrust.task.Waker;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A computation and a thread that take turns: each of its polls lets the thread go on, which wakes it during that poll or
 * afterwards, while its loop looks for work or parks. Ready when it has seen all turns of the thread.
 */
final class Relay implements Async<@Nullable Void> {
    private static final int TURNS = 8;

    private @Nullable Waker waker;
    private int turns;
    private int count;
    private volatile int polls;
    private volatile boolean ended;

    @Override
    public boolean poll(Waker waker) {
        this.waker = waker;
        polls = ++count;
        // After the thread was let go: it may have its turn meanwhile.
        int seen = turns;
        Pause.random();
        return seen == TURNS;
    }

    /** The thread's part; returns when all turns are done, or the other part has ended without. */
    void takeTurns() {
        for (int turn = 1; turn <= TURNS; turn++) {
            while (polls < turn) {
                if (ended) {
                    return;
                }
                Thread.onSpinWait();
            }
            Pause.random();
            turns = turn;
            Objects.requireNonNull(waker).wake();
        }
    }

    /** The loop has ended. */
    void end() {
        ended = true;
    }

    /** 0 if there were as many polls as wake-ups have to cause; else how many more, or fewer. */
    int excess() {
        int excess = polls - TURNS;
        // The first poll needs no wake-up, and the last wake-up no poll if its turn was seen before.
        return excess == 1 ? 0 : excess;
    }

    @Override
    public @Nullable Void result() {
        return null;
    }
}
