package io.thrust.benchmarks.load;

import java.util.stream.Stream;

/**
 * What a client saw.
 *
 * @param errors connections that failed and answers that were wrong, in words; empty if there are none
 */
record Outcome(
        long operations,
        double seconds,
        double p50Micros,
        double p75Micros,
        double p90Micros,
        double p99Micros,
        String errors) {
    double perSecond() {
        return operations / seconds;
    }

    /** The first errors of these, for a table: one is enough to make the row worthless. */
    static String firstErrors(Stream<Outcome> outcomes) {
        return outcomes.map(Outcome::errors)
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("none");
    }
}
