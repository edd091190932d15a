package io.thrust.benchmarks.claims;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Times in nanoseconds, as the figures of a child: {@code min}, {@code p50}, {@code p90}, {@code p99} and {@code max}. */
final class Times {
    private static final String[] NAMES = {"min", "p50", "p90", "p99", "max"};
    private static final double[] PERCENTILES = {0, 50, 90, 99, 100};

    private Times() {}

    static Histogram histogram() {
        return new Histogram(TimeUnit.MINUTES.toNanos(10), 3);
    }

    /** In the child. */
    static void print(String prefix, Histogram times) {
        for (int i = 0; i < NAMES.length; i++) {
            ChildJvm.print(prefix + NAMES[i], times.getValueAtPercentile(PERCENTILES[i]));
        }
    }

    /** A row of a table with the columns of {@link #columns}, in microseconds. */
    static void row(Table table, String name, Map<String, Double> figures, String prefix) {
        Object[] cells = new Object[1 + NAMES.length];
        cells[0] = name;
        for (int i = 0; i < NAMES.length; i++) {
            Double nanos = figures.get(prefix + NAMES[i]);
            cells[i + 1] = nanos == null ? "-" : nanos / 1e3;
        }
        table.row(cells);
    }

    /** A table of times in microseconds. */
    static Table columns(String first) {
        return new Table(first, "min µs", "p50 µs", "p90 µs", "p99 µs", "max µs");
    }
}
