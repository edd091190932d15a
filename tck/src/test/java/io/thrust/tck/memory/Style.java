package io.thrust.tck.memory;

/** The two ways to keep edge mode. */
public enum Style {
    /** As a kernel does: an arrival makes the edge, and rearm does nothing. */
    ARRIVAL,
    /** As an emulation over level does: a report masks the direction, and rearm unmasks it. */
    MASK
}
