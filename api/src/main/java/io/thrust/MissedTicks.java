package io.thrust;

/** What an {@link Interval} does after a tick that was taken so late that the one after it is due already. */
public enum MissedTicks {
    /** Every tick is given, those that were missed at once, until the interval has caught up. */
    BURST {
        @Override
        long next(long due, long period, long now) {
            return due + period;
        }
    },

    /** The next tick is due one period after the late one was taken; from there on the interval goes on. */
    DELAY {
        @Override
        long next(long due, long period, long now) {
            return now - due < period ? due + period : now + period;
        }
    },

    /** Ticks that were missed are left out: the next one is due at the next multiple of the period from the start. */
    SKIP {
        @Override
        long next(long due, long period, long now) {
            return due + period * ((now - due) / period + 1);
        }
    };

    /** When the tick is due that comes after the one that was due and is taken now, not before it was due. */
    abstract long next(long due, long period, long now);
}
