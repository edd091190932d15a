package io.thrust.benchmarks.load;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** The middle one; of an even number, the mean of the two in the middle. */
final class Median {
    private Median() {}

    static <T> double of(List<T> values, ToDoubleFunction<? super T> number) {
        double[] sorted = values.stream().mapToDouble(number).sorted().toArray();
        if (sorted.length == 0) {
            throw new IllegalArgumentException("no values");
        }
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
