/**
 * Measures what is claimed of threads, shared counters, replaced tables, memory and wake-ups, and prints it as Markdown. What
 * one measurement leaves behind would spoil the next, so each runs in a JVM of its own. Most of it needs Linux, for it reads
 * {@code /proc}.
 */
@NullMarked
package io.thrust.benchmarks.claims;

import org.jspecify.annotations.NullMarked;
