/** The event loop, which runs tasks over a reactor, and timers. Start at {@link io.thrust.EventLoop}. */
@NullMarked
package io.thrust;

import org.jspecify.annotations.NullMarked;
