package io.thrust.benchmarks.claims;

import java.util.Arrays;
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
    static void print(Histogram times) {
        for (int i = 0; i < NAMES.length; i++) {
            ChildJvm.print(NAMES[i], (double) times.getValueAtPercentile(PERCENTILES[i]));
        }
    }

    /** A row of a table with the columns of {@link #columns}, in microseconds. */
    static void row(Table table, String name, Figures figures) {
        Object[] cells = new Object[1 + NAMES.length];
        cells[0] = name;
        for (int i = 0; i < NAMES.length; i++) {
            cells[i + 1] = figures.get(NAMES[i]) / 1e3;
        }
        table.row(cells);
    }

    /** A table of times in microseconds. */
    static Table columns(String first) {
        return new Table(first, "min µs", "p50 µs", "p90 µs", "p99 µs", "max µs");
    }

    /** A row for what cannot be measured. */
    static void emptyRow(Table table, String name) {
        Object[] cells = new Object[1 + NAMES.length];
        Arrays.fill(cells, "-");
        cells[0] = name;
        table.row(cells);
    }
}
