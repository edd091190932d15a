package io.thrust.tck;

import io.thrust.poll.PollerProvider;

/** The kit over the backend {@code nio}. */
class NioTckTest extends PollerTck {
    @Override
    protected PollerProvider provider() {
        return Backends.named("nio");
    }
}
