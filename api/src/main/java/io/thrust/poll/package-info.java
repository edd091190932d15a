/**
 * The poller SPI: what a readiness backend implements and what the reactor builds on.
 *
 * <p>A {@link io.thrust.poll.PollerProvider} opens {@linkplain io.thrust.poll.Poller pollers} and the {@linkplain
 * io.thrust.poll.Source sources} that its pollers can watch; {@link io.thrust.poll.Pollers} discovers the providers
 * and chooses one. A backend registers itself as a service of type {@code io.thrust.poll.PollerProvider}.
 */
@NullMarked
package io.thrust.poll;

import org.jspecify.annotations.NullMarked;
