package io.thrust.tck;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What became of one rule.
 *
 * @param rule the rule
 * @param status what became of it
 * @param took how long it took
 * @param detail why it failed or was skipped; empty if it passed
 * @param failure what was thrown, if anything was
 */
record RuleResult(
        RuleText rule,
        Status status,
        Duration took,
        String detail,
        @Nullable Throwable failure) {

    /** Passed, failed or skipped. */
    enum Status {
        PASSED,
        FAILED,
        SKIPPED
    }
}
