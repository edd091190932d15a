package io.thrust.epoll;

import io.thrust.backend.AbstractUnixSocketTest;
import io.thrust.poll.PollerProvider;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class UnixSocketTest extends AbstractUnixSocketTest {
    @Override
    protected PollerProvider provider() {
        return new EpollProvider();
    }
}
