/** How the other packages log: what goes wrong with that harms nobody. Not exported. */
@NullMarked
package io.thrust.log;

import org.jspecify.annotations.NullMarked;
