package io.thrust.stress;

import java.util.concurrent.ThreadLocalRandom;

/** Shifts what two threads do against each other, so that their steps meet in all ways. */
final class Pause {
    private static final int MOST_SPINS = 32;

    private Pause() {}

    /** From nothing to about a microsecond. */
    static void random() {
        for (int i = ThreadLocalRandom.current().nextInt(MOST_SPINS); i > 0; i--) {
            Thread.onSpinWait();
        }
    }
}
