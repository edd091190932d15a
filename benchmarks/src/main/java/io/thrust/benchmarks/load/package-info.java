/**
 * Compares servers under load: each runs in a process of its own, one at a time is let run, and what counts is the CPU
 * time that it takes per operation, as a ratio to that of another one in the same round. Linux only, for it reads
 * {@code /proc}.
 */
@NullMarked
package io.thrust.benchmarks.load;

import org.jspecify.annotations.NullMarked;
