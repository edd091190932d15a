package io.thrust.examples;

import io.thrust.net.ConnectionHandler;
import io.thrust.net.TcpStream;
import io.thrust.task.Async;
import java.time.Duration;

/** Answers {@code GET /fanout/QUERY} with what several servers say, each part as it comes. */
final class FanoutServer implements ConnectionHandler {
    final Fanout fanout;
    private final Duration idleTimeout;

    FanoutServer(Fanout fanout, Duration idleTimeout) {
        this.fanout = fanout;
        this.idleTimeout = idleTimeout;
    }

    @Override
    public Async<?> handle(TcpStream stream) {
        stream.setIdleTimeout(idleTimeout);
        return new FanoutConnection(this, stream).serve();
    }
}
