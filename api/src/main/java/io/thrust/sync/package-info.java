/**
 * What tasks of one loop use to hand things to each other and to wait for each other. All of it belongs to one thread, the
 * one that uses it first, but for {@link io.thrust.sync.Mailbox}, into which any thread may send.
 *
 * <p>The operations are lazy, as every {@link io.thrust.task.Async} is: they do nothing and wait in no line before their
 * first poll. Whoever waited first is served first. An operation that is cancelled gives back what it was given and had
 * not taken.
 */
@NullMarked
package io.thrust.sync;

import org.jspecify.annotations.NullMarked;
