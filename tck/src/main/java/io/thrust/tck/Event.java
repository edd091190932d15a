package io.thrust.tck;

import io.thrust.poll.ReadyEvents;

/** A copy of one entry of a batch. */
record Event(long key, boolean readable, boolean writable, boolean hangup) {

    static Event of(ReadyEvents batch, int index) {
        return new Event(batch.key(index), batch.isReadable(index), batch.isWritable(index), batch.isHangup(index));
    }

    @Override
    public String toString() {
        return "event of key " + key + " (" + (readable ? "readable" : "") + (readable && writable ? ", " : "")
                + (writable ? "writable" : "") + (hangup ? ", hang-up" : "") + ")";
    }
}
