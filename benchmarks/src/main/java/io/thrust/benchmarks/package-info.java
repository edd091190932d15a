/** Measurements with JMH; run {@code java -jar benchmarks/target/thrust-benchmarks.jar}. */
@NullMarked
package io.thrust.benchmarks;

import org.jspecify.annotations.NullMarked;
