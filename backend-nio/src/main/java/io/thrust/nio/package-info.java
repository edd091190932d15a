/**
 * The portable poller backend: {@code java.nio.channels.Selector} and the channels of the JDK. {@link
 * io.thrust.nio.NioProvider} is its only public type.
 *
 * <p>A selector is level-triggered. The other modes are made of it by masking: a direction that was reported is taken
 * out of the key's interest just before the next select that waits, unless it was armed again by then, so that a source
 * which is read until it would block and rearmed costs no system call besides the select itself.
 */
@NullMarked
package io.thrust.nio;

import org.jspecify.annotations.NullMarked;
