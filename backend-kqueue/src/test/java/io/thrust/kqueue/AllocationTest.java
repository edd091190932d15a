package io.thrust.kqueue;

import io.thrust.backend.AbstractAllocationTest;
import io.thrust.poll.PollerProvider;

class AllocationTest extends AbstractAllocationTest {
    @Override
    protected PollerProvider provider() {
        return Fixture.provider();
    }
}
