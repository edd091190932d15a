package io.thrust.tck;

import io.thrust.poll.PollerProvider;
import io.thrust.poll.Pollers;

/** The kit on the JDK's selector. */
class NioTckTest extends PollerTck {
    @Override
    protected PollerProvider provider() {
        return Pollers.select("nio");
    }
}
