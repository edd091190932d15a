/**
 * The backend for macOS and the BSDs, and for Linux over a library that provides {@code kqueue}: readiness from {@code
 * kevent}, and non-blocking sockets and pipes, all called through jnr-ffi. {@link io.thrust.kqueue.KqueueProvider} is the
 * only public type.
 *
 * <p>{@code Syscalls} is all that this package asks of a system; {@code KeventLayout} and {@code Numbers} are what differs
 * between systems, as data; {@code KqueuePoller} has the logic.
 */
@NullMarked
package io.thrust.kqueue;

import org.jspecify.annotations.NullMarked;
