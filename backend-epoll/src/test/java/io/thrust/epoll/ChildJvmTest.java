package io.thrust.epoll;

import io.thrust.backend.AbstractChildJvmTest;
import io.thrust.poll.PollerProvider;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class ChildJvmTest extends AbstractChildJvmTest {
    @Override
    protected PollerProvider provider() {
        return new EpollProvider();
    }

    @Override
    protected String openingAPoller() {
        return "open an epoll poller";
    }
}
