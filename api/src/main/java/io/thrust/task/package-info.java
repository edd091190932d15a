/** Lazily polled computations, their wakers, and the executor that polls them on one thread. Knows no I/O. */
@NullMarked
package io.thrust.task;

import org.jspecify.annotations.NullMarked;
