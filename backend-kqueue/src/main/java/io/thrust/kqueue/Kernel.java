package io.thrust.kqueue;

import java.io.IOException;

/**
 * What the backend works with, chosen once.
 *
 * @param userEvents whether {@code EVFILT_USER} works, which OpenBSD got in 2025 only; else wake-ups use a pipe
 */
record Kernel(Syscalls syscalls, KeventLayout layout, Numbers numbers, boolean userEvents) {

    /** The exception of the SPI for a call whose result was {@code -errno}. */
    IOException failure(String operation, long result) {
        return Failures.of(numbers, operation, (int) -result);
    }
}
