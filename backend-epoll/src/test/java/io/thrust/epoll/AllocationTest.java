package io.thrust.epoll;

import io.thrust.backend.AbstractAllocationTest;
import io.thrust.poll.PollerProvider;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class AllocationTest extends AbstractAllocationTest {
    @Override
    protected PollerProvider provider() {
        return new EpollProvider();
    }
}
