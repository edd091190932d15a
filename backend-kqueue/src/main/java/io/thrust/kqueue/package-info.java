/** The backend over {@code kqueue}, the readiness interface of macOS and the BSDs. */
@NullMarked
package io.thrust.kqueue;

import org.jspecify.annotations.NullMarked;
