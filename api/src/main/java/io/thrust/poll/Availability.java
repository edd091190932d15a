package io.thrust.poll;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Whether a provider works on this machine, and if not, why. Immutable. */
public final class Availability {
    private static final Availability AVAILABLE = new Availability(null, null);

    private final @Nullable String reason;
    private final @Nullable Throwable cause;

    private Availability(@Nullable String reason, @Nullable Throwable cause) {
        this.reason = reason;
        this.cause = cause;
    }

    public static Availability available() {
        return AVAILABLE;
    }

    /**
     * Not available.
     *
     * @param reason one sentence for a person: what is missing and how to get it
     * @param cause what was thrown, if anything was
     */
    public static Availability unavailable(String reason, @Nullable Throwable cause) {
        return new Availability(Objects.requireNonNull(reason, "reason"), cause);
    }

    public boolean isAvailable() {
        return reason == null;
    }

    /** Why it is not available; the empty string if it is. */
    public String reason() {
        return reason == null ? "" : reason;
    }

    public @Nullable Throwable cause() {
        return cause;
    }

    @Override
    public String toString() {
        return reason == null ? "available" : "not available: " + reason;
    }
}
