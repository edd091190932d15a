/** Thrust's portable poller backend, over java.nio.channels.Selector. */
module io.thrust.backend.nio {
    requires io.thrust.api;
    requires static org.jspecify;

    exports io.thrust.nio;

    provides io.thrust.poll.PollerProvider with
            io.thrust.nio.NioProvider;
}
