package io.thrust.tck;

/** How binding a rule is. */
public enum Level {
    /** A poller that breaks it does not conform. */
    MUST,
    /** Kept unless there is a good reason; a broken one counts as failed unless it was waived by name. */
    SHOULD,
    /** A freedom: tested where the poller takes it, listed as skipped where it does not. */
    MAY
}
