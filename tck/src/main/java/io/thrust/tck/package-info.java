/**
 * The kit that tells, rule by rule, whether a poller keeps the contract of {@code io.thrust.poll}. Extend {@link
 * io.thrust.tck.PollerTck}, or run {@link io.thrust.tck.Main}; the rules stand in {@code SPEC.md} beside this class.
 */
@NullMarked
package io.thrust.tck;

import org.jspecify.annotations.NullMarked;
