package io.thrust.tck;

import io.thrust.poll.PollerProvider;

/** The kit over the backend {@code epoll}. */
class EpollTckTest extends PollerTck {
    @Override
    protected PollerProvider provider() {
        return Backends.named("epoll");
    }
}
