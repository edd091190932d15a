package io.thrust.tck.memory;

import io.thrust.poll.PollerProvider;
import io.thrust.tck.Environment;
import io.thrust.tck.PollerTck;

/** The kit over a correct poller that was written from the contract alone. */
class MemoryTckTest extends PollerTck {
    @Override
    protected PollerProvider provider() {
        return new MemoryProvider();
    }

    @Override
    protected Environment environment() {
        return MemoryProvider.environment();
    }
}
