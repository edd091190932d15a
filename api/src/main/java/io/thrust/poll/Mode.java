package io.thrust.poll;

/**
 * How often the readiness of a registered source is reported. {@link PollerProvider#modes()} says which modes a
 * provider has; another one is refused with an {@link UnsupportedModeException} and never substituted.
 *
 * <p>In each mode readiness is a hint: the operation itself may still find that it would block.
 */
public enum Mode {
    /**
     * Readiness is reported when it arises.
     *
     * <ul>
     *   <li>E1: readiness that exists at {@link Poller#register register} or {@link Poller#modify modify} is reported.
     *   <li>E2: after an operation found that it would block (or moved fewer bytes than asked for on a source that
     *       answers true to {@link InputSource#isDrainedByShortRead()}, or any short write) <em>and</em> {@link
     *       Poller#rearm rearm} named that direction, the next readiness is reported.
     *   <li>E3: a report may come more often than needed.
     *   <li>E4: with no new arrival, no rearm and no modify, and while neither direction changes, readiness that
     *       nobody consumed is not reported again: polls stay silent.
     * </ul>
     *
     * New data after a partial read may be reported without a rearm; a portable caller does not count on it.
     */
    EDGE,
    /** Readiness is reported by every poll for as long as it lasts. {@link Poller#rearm rearm} does nothing. */
    LEVEL,
    /**
     * Readiness is reported once; the report disarms both directions, and the source stays registered. {@link
     * Poller#modify modify} arms it again (and reports readiness that exists then); {@link Poller#rearm rearm} is
     * refused.
     */
    ONE_SHOT
}
