package io.thrust.epoll;

import io.netty.channel.epoll.EpollIoOps;
import io.thrust.poll.Interest;
import io.thrust.poll.Mode;

/** The bits of {@code epoll_event.events}, the same on every Linux, and the masks of registrations, made once. */
final class EpollMask {
    static final int IN = 0x1;
    static final int PRI = 0x2;
    static final int OUT = 0x4;
    static final int ERR = 0x8;
    static final int HUP = 0x10;
    static final int RDHUP = 0x2000;
    private static final int ONE_SHOT = 1 << 30;
    private static final int EDGE = 1 << 31;

    /** For the wake-up descriptor. */
    static final EpollIoOps WAKE = EpollIoOps.valueOf(IN | EDGE);

    private static final EpollIoOps[][] MASKS = masks();

    private EpollMask() {}

    static EpollIoOps of(Interest interest, Mode mode) {
        return MASKS[mode.ordinal()][interest.ordinal()];
    }

    private static EpollIoOps[][] masks() {
        EpollIoOps[][] masks = new EpollIoOps[Mode.values().length][Interest.values().length];
        for (Mode mode : Mode.values()) {
            for (Interest interest : Interest.values()) {
                masks[mode.ordinal()][interest.ordinal()] = EpollIoOps.valueOf(bits(interest, mode));
            }
        }
        return masks;
    }

    private static int bits(Interest interest, Mode mode) {
        int bits = (interest.includesRead() ? IN | RDHUP : 0) | (interest.includesWrite() ? OUT : 0);
        switch (mode) {
            case EDGE:
                // Urgent data ends a read short of what follows it, which only an edge would not tell again. PRI lasts
                // until a read passes the mark, so that a level would report it again and again.
                return bits | EDGE | (interest.includesRead() ? PRI : 0);
            case ONE_SHOT:
                return bits | ONE_SHOT;
            default:
                return bits;
        }
    }
}
