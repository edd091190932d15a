package io.thrust.benchmarks.claims;

import java.util.LinkedHashMap;
import java.util.Map;

/** Numbers by their names. */
final class Figures {
    private final Map<String, Double> byName = new LinkedHashMap<>();

    /** Takes note of a line: the name, a blank, the number. Returns false, having done nothing, if it is none. */
    boolean add(String line) {
        int blank = line.lastIndexOf(' ');
        if (blank < 0) {
            return false;
        }
        try {
            byName.put(line.substring(0, blank), Double.valueOf(line.substring(blank + 1)));
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    boolean has(String name) {
        return byName.containsKey(name);
    }

    double get(String name) {
        Double figure = byName.get(name);
        if (figure == null) {
            throw new IllegalStateException("there is no figure \"" + name + "\", but " + byName.keySet());
        }
        return figure;
    }

    /** Those whose names begin so, by what follows. */
    Map<String, Double> startingWith(String prefix) {
        Map<String, Double> found = new LinkedHashMap<>();
        byName.forEach((name, figure) -> {
            if (name.startsWith(prefix)) {
                found.put(name.substring(prefix.length()), figure);
            }
        });
        return found;
    }
}
