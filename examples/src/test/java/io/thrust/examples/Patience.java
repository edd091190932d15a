package io.thrust.examples;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** How long the tests wait: generously for what must come, briefly for what must not. */
final class Patience {
    static final Duration PATIENCE = Duration.ofSeconds(20);
    static final Duration SILENCE = Duration.ofMillis(100);

    private Patience() {}

    /** Returns whether it came true. */
    static boolean until(BooleanSupplier condition) {
        return within(PATIENCE, condition);
    }

    static boolean within(Duration time, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > time.toNanos()) {
                return false;
            }
            LockSupport.parkNanos(1_000_000);
        }
        return true;
    }
}
