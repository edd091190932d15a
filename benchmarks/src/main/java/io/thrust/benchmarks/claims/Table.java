package io.thrust.benchmarks.claims;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A table in Markdown: the first column is text, the others are numbers. */
final class Table {
    private final List<List<String>> rows = new ArrayList<>();

    Table(String... heads) {
        rows.add(List.of(heads));
        List<String> rule = new ArrayList<>(Collections.nCopies(heads.length, "---:"));
        rule.set(0, "---");
        rows.add(rule);
    }

    /** Numbers are printed as {@link #text} does, anything else as it is. */
    void row(Object... cells) {
        int columns = rows.get(0).size();
        if (cells.length != columns) {
            throw new IllegalArgumentException(cells.length + " cells for " + columns + " columns");
        }
        rows.add(Arrays.stream(cells)
                .map(cell -> cell instanceof Number number ? text(number.doubleValue()) : cell.toString())
                .toList());
    }

    void print(PrintStream out) {
        out.println();
        for (List<String> row : rows) {
            out.println(row.stream().collect(Collectors.joining(" | ", "| ", " |")));
        }
    }

    /** Three digits that mean something, all of those before the point, none behind it for nothing. */
    static String text(double number) {
        double magnitude = Math.abs(number);
        if (Double.isNaN(number)) {
            return "-";
        }
        if (magnitude >= 100 || number == Math.rint(number)) {
            return String.format(Locale.ROOT, "%,.0f", number);
        }
        return String.format(Locale.ROOT, magnitude >= 10 ? "%.1f" : magnitude >= 0.1 ? "%.2f" : "%.4f", number);
    }
}
