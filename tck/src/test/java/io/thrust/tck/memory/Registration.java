package io.thrust.tck.memory;

import io.thrust.poll.Interest;
import io.thrust.poll.Mode;

/** A registration; guarded by the lock of the network. */
final class Registration {
    final MemoryPoller poller;
    final MemorySource source;
    long key;
    long formerKey;
    Interest interest;
    Mode mode;
    /** Edge: the direction is reported when it is ready. One-shot: both together. */
    boolean readArmed = true;

    boolean writeArmed = true;
    /** Since the last poll. */
    private boolean rearmed;
    /** The place in the batch of poll {@link #pollNumber}. */
    int slot;

    long pollNumber;

    Registration(MemoryPoller poller, MemorySource source, long key, Interest interest, Mode mode) {
        this.poller = poller;
        this.source = source;
        this.key = key;
        this.formerKey = key;
        this.interest = interest;
        this.mode = mode;
        arm();
    }

    void arm() {
        readArmed = true;
        writeArmed = true;
    }

    void arrived(boolean reading, boolean writing) {
        if (mode == Mode.EDGE && source.net.style == Style.ARRIVAL) {
            if (source.net.has(Fault.LOSES_AN_EDGE_IN_A_HUNDRED) && source.net.everyNth(100)) {
                return;
            }
            readArmed |= reading;
            writeArmed |= writing;
        }
        poller.signal();
    }

    /** A poll has ended. */
    void polled() {
        if (rearmed && source.net.has(Fault.REARM_LASTS_FOR_ONE_POLL)) {
            readArmed = false;
            writeArmed = false;
        }
        rearmed = false;
    }

    boolean readDue() {
        if (!interest.includesRead() || !source.isReadable()) {
            return false;
        }
        return isLevel() || readArmed || (source.net.has(Fault.SPINS_AT_THE_END) && source.isHungUp());
    }

    boolean writeDue() {
        return interest.includesWrite() && source.isWritable() && (isLevel() || writeArmed);
    }

    private boolean isLevel() {
        return mode == Mode.LEVEL
                ? !source.net.has(Fault.LEVEL_IS_REPORTED_ONCE)
                : mode == Mode.EDGE && source.net.has(Fault.EDGE_REPEATS);
    }

    /** After a report of these directions. */
    void reported(boolean reading, boolean writing) {
        MemoryNet net = source.net;
        if (mode == Mode.ONE_SHOT) {
            if (net.has(Fault.ONE_SHOT_STAYS_ARMED)) {
                return;
            }
            if (!net.has(Fault.ONE_SHOT_DISARMS_ONE_DIRECTION)) {
                readArmed = false;
                writeArmed = false;
                return;
            }
        }
        if (net.has(Fault.REPORT_OF_READING_DISARMS_WRITING) && reading) {
            writeArmed = false;
        }
        readArmed &= !reading;
        writeArmed &= !writing;
    }

    void rearm(Interest directions) {
        MemoryNet net = source.net;
        rearmed = true;
        if (net.has(Fault.REARM_CLEARS_WHAT_CAME)) {
            readArmed &= !directions.includesRead();
        } else if (net.style == Style.MASK) {
            if (net.has(Fault.REARM_REPLACES_THE_MASK)) {
                readArmed = directions.includesRead();
                writeArmed = directions.includesWrite();
            } else if (!net.has(Fault.LISTENERS_ARE_NOT_REARMED) || !(source instanceof MemoryListener)) {
                readArmed |= directions.includesRead();
                writeArmed |= directions.includesWrite();
            }
        }
    }
}
