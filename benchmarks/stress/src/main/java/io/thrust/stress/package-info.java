/**
 * Races between a loop and other threads, for jcstress. No wake-up is lost, none causes two polls, none reaches a task that
 * ended; what another thread sends, computes or completes arrives once, or is closed once if nobody wants it any more.
 *
 * <p>Each race has two actors, so that two processors are enough. What else is in {@link io.thrust.sync} than {@link
 * io.thrust.sync.Mailbox} belongs to one thread and has none.
 */
@NullMarked
package io.thrust.stress;

import org.jspecify.annotations.NullMarked;
