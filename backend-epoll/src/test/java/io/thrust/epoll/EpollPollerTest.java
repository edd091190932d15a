package io.thrust.epoll;

import io.thrust.backend.AbstractPollingTest;
import io.thrust.poll.PollerProvider;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class EpollPollerTest extends AbstractPollingTest {
    @Override
    protected PollerProvider provider() {
        return new EpollProvider();
    }
}
