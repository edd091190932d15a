package io.thrust.net;

import io.thrust.task.Async;

/** What a server does with a connection; see {@link TcpListener#serve}. */
@FunctionalInterface
public interface ConnectionHandler {
    /** Returns the computation that serves this stream, which belongs to it: it closes it in the end. */
    Async<?> handle(TcpStream stream);
}
