package io.thrust.tck;

import io.thrust.poll.PollerProvider;

/** The kit over the backend {@code kqueue}. */
class KqueueTckTest extends PollerTck {
    @Override
    protected PollerProvider provider() {
        return Backends.named("kqueue");
    }
}
