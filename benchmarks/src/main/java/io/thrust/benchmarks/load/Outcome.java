package io.thrust.benchmarks.load;

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
}
