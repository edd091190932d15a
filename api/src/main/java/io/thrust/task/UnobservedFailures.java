package io.thrust.task;

import java.util.ArrayDeque;

/** Failures whose handle somebody may still ask; each is logged in the end unless somebody did. */
final class UnobservedFailures {
    private static final int MOST = 64;

    private final ArrayDeque<Failure> failures = new ArrayDeque<>();

    /** Keeps one. When too many are kept the oldest that nobody asked for is logged now. */
    void keep(Failure failure) {
        if (failure.observed) {
            return;
        }
        if (failures.size() == MOST) {
            failures.removeIf(kept -> kept.observed);
            if (failures.size() == MOST) {
                failures.remove().log();
            }
        }
        failures.add(failure);
    }

    void logAll() {
        failures.forEach(Failure::log);
        failures.clear();
    }
}
