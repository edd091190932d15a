package io.thrust.tck;

import io.thrust.kqueue.FixtureProvider;
import io.thrust.poll.PollerProvider;

/** The kit over the backend {@code kqueue}, on Linux, with a {@code struct kevent} of 40 bytes. */
class Kqueue40TckTest extends PollerTck {
    @Override
    protected PollerProvider provider() {
        return FixtureProvider.of("libthrustkq40.so", "netbsd40");
    }
}
