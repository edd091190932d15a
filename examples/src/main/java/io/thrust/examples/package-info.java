/** Servers and clients over the event loop, small enough to be read, and the command line that starts them. */
@NullMarked
package io.thrust.examples;

import org.jspecify.annotations.NullMarked;
