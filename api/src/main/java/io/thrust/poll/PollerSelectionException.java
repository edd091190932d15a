package io.thrust.poll;

import org.jspecify.annotations.Nullable;

/**
 * No poller provider could be chosen. The message has several lines and is meant to be read as it stands: what was
 * asked for, every provider found with the reason why it cannot be used, and what to add or change. The cause is that
 * of the provider asked for or, if none was, of the first in the list that has one; the others' are suppressed.
 */
public final class PollerSelectionException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public PollerSelectionException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
