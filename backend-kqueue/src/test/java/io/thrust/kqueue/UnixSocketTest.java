package io.thrust.kqueue;

import io.thrust.backend.AbstractUnixSocketTest;
import io.thrust.poll.PollerProvider;

class UnixSocketTest extends AbstractUnixSocketTest {
    @Override
    protected PollerProvider provider() {
        return Fixture.provider();
    }
}
