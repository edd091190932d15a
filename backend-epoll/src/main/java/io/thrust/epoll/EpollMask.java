package io.thrust.epoll;

import io.netty.channel.epoll.EpollIoOps;
import io.thrust.poll.Interest;
import io.thrust.poll.Mode;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

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

    private static final Map<Mode, Map<Interest, EpollIoOps>> MASKS = masks();

    private EpollMask() {}

    static EpollIoOps of(Interest interest, Mode mode) {
        return Objects.requireNonNull(Objects.requireNonNull(MASKS.get(mode)).get(interest));
    }

    private static Map<Mode, Map<Interest, EpollIoOps>> masks() {
        Map<Mode, Map<Interest, EpollIoOps>> masks = new EnumMap<>(Mode.class);
        for (Mode mode : Mode.values()) {
            Map<Interest, EpollIoOps> ofMode = new EnumMap<>(Interest.class);
            for (Interest interest : Interest.values()) {
                ofMode.put(interest, EpollIoOps.valueOf(bits(interest, mode)));
            }
            masks.put(mode, ofMode);
        }
        return masks;
    }

    private static int bits(Interest interest, Mode mode) {
        int bits = (interest.includesRead() ? IN | RDHUP : 0) | (interest.includesWrite() ? OUT : 0);
        return switch (mode) {
            // Urgent data ends a read short of what follows it, which only an edge would not tell again. PRI lasts
            // until a read passes the mark: a level would report it until then, with nothing to read.
            case EDGE -> bits | EDGE | (interest.includesRead() ? PRI : 0);
            case ONE_SHOT -> bits | ONE_SHOT;
            case LEVEL -> bits;
        };
    }
}
