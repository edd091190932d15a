package io.thrust.tck;

import io.thrust.kqueue.FixtureProvider;
import io.thrust.poll.PollerProvider;

/** The kit over the backend {@code kqueue}, on Linux, with a {@code struct kevent} of 32 bytes. */
class Kqueue32TckTest extends PollerTck {
    @Override
    protected PollerProvider provider() {
        return FixtureProvider.of("libthrustkq32.so", "freebsd11");
    }
}
