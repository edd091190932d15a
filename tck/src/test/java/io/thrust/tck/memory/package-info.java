/** A poller in memory: a correct one, and many with one fault each, on which the kit tests itself. */
@NullMarked
package io.thrust.tck.memory;

import org.jspecify.annotations.NullMarked;
