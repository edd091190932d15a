package io.thrust.epoll;

import io.thrust.backend.AbstractTcpTest;
import io.thrust.poll.PollerProvider;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class TcpTest extends AbstractTcpTest {
    @Override
    protected PollerProvider provider() {
        return new EpollProvider();
    }
}
