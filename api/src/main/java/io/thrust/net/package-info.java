/** TCP for the tasks of an {@link io.thrust.EventLoop}. */
@NullMarked
package io.thrust.net;

import org.jspecify.annotations.NullMarked;
