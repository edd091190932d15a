/**
 * Support for those who write a backend: base classes that keep the rules of {@link io.thrust.poll.Poller} which do not
 * depend on a kernel (table, threads, wake-ups, deadlines, closing), the table of network errors, and what messages and socket files have in
 * common. Their use is a convenience: a provider may implement the interfaces of {@code io.thrust.poll} without them.
 */
@NullMarked
package io.thrust.poll.spi;

import org.jspecify.annotations.NullMarked;
