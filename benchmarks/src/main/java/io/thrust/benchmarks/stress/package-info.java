/** Races of the wake protocol, for jcstress: no wake-up is lost, none causes two polls, none reaches a task that ended. */
@NullMarked
package io.thrust.benchmarks.stress;

import org.jspecify.annotations.NullMarked;
