package io.thrust.tck.memory;

import io.thrust.poll.PollerProvider;
import io.thrust.tck.Environment;
import io.thrust.tck.PollerTck;

/** The kit over a correct poller that keeps edge mode by masking, as an emulation does. */
class MaskingMemoryTckTest extends PollerTck {
    @Override
    protected PollerProvider provider() {
        return new MemoryProvider(Style.MASK, null);
    }

    @Override
    protected Environment environment() {
        return MemoryProvider.environment();
    }
}
