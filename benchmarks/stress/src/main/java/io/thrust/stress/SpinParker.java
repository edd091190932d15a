package io.thrust.stress;

import io.thrust.task.Parker;
import java.io.IOException;

/** Waits by spinning, and fails if nobody ends the wait: a wake-up was lost then. */
final class SpinParker implements Parker {
    private static final long PATIENCE_NANOS = 5_000_000_000L;
    /** A longer time between two looks was spent by somebody else, on a busy machine or one that was stopped. */
    private static final long MOST_NANOS_BETWEEN_LOOKS = 1_000_000;

    private volatile boolean permit;

    @Override
    public void park(long maxNanos) throws IOException {
        if (maxNanos != 0) {
            long waited = 0;
            long before = System.nanoTime();
            while (!permit) {
                long now = System.nanoTime();
                waited += Math.min(now - before, MOST_NANOS_BETWEEN_LOOKS);
                before = now;
                if (waited > PATIENCE_NANOS) {
                    throw new IOException("nobody ended the wait");
                }
                Thread.onSpinWait();
            }
        }
        permit = false;
    }

    @Override
    public void unpark() {
        permit = true;
    }
}
