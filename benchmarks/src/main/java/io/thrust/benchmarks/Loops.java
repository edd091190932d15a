package io.thrust.benchmarks;

import io.thrust.EventLoop;
import io.thrust.poll.Pollers;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Opens what the benchmarks measure. */
final class Loops {
    private Loops() {}

    /** A loop over the poller of this name. */
    static EventLoop open(String poller) {
        try {
            return EventLoop.open(Pollers.select(poller));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
