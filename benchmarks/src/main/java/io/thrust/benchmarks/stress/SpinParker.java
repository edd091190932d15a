package io.thrust.benchmarks.stress;

import io.thrust.task.Parker;
import java.io.IOException;

/** Waits by spinning, and fails if nobody ends the wait: a wake-up was lost then. */
final class SpinParker implements Parker {
    private static final long PATIENCE_NANOS = 5_000_000_000L;

    private volatile boolean permit;

    @Override
    public void park(long maxNanos) throws IOException {
        if (maxNanos != 0) {
            long start = System.nanoTime();
            while (!permit) {
                if (System.nanoTime() - start > PATIENCE_NANOS) {
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
