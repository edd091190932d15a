/** What a system call of the kqueue backend costs: in its package, because it hides its system calls. */
@NullMarked
package io.thrust.kqueue;

import org.jspecify.annotations.NullMarked;
