/** Thrust's API: the poller SPI and its selection, the reactor, the executor, the event loop, timers and TCP. */
module io.thrust.api {
    requires static org.jspecify;

    exports io.thrust;
    exports io.thrust.net;
    exports io.thrust.poll;
    exports io.thrust.poll.spi;
    exports io.thrust.reactor;
    exports io.thrust.sync;
    exports io.thrust.task;

    uses io.thrust.poll.PollerProvider;
}
