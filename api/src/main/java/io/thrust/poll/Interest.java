package io.thrust.poll;

/** The directions in which a {@link Source} is watched. */
public enum Interest {
    /** Nothing is reported, hang-ups included; the source stays registered. */
    NONE(false, false),
    /** Readable: data, end of stream, an error, or on a listener a waiting connection. */
    READ(true, false),
    /** Writable: room in the send buffer, an error, or the end of a connect. */
    WRITE(false, true),
    /** Both. */
    READ_WRITE(true, true);

    private final boolean read;
    private final boolean write;

    Interest(boolean read, boolean write) {
        this.read = read;
        this.write = write;
    }

    /** Returns the interest made of the given directions. */
    public static Interest of(boolean read, boolean write) {
        if (read) {
            return write ? READ_WRITE : READ;
        }
        return write ? WRITE : NONE;
    }

    public boolean includesRead() {
        return read;
    }

    public boolean includesWrite() {
        return write;
    }

    /** Whether every direction of {@code other} is also in this interest. */
    public boolean includes(Interest other) {
        return (read || !other.read) && (write || !other.write);
    }

    /** Returns the directions that are in this interest, in {@code other}, or in both. */
    public Interest union(Interest other) {
        return of(read || other.read, write || other.write);
    }

    /** Returns the directions of this interest that are not in {@code other}. */
    public Interest without(Interest other) {
        return of(read && !other.read, write && !other.write);
    }
}
