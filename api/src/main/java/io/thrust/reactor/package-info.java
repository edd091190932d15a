/** Readiness and timers: events of a poller become wake-ups of wakers. Knows neither sockets nor the executor. */
@NullMarked
package io.thrust.reactor;

import org.jspecify.annotations.NullMarked;
