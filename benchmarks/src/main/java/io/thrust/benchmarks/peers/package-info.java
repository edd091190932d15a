/**
 * Servers to compare with, each written as one would write it with care. The environment has {@code PORT} and {@code MODE},
 * {@code http} or {@code echo}; they look for the ends of heads only, as little as an honest HTTP server could do.
 */
@NullMarked
package io.thrust.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
