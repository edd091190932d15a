package io.thrust.examples;

import io.thrust.net.TcpStream;
import io.thrust.task.Async;
import org.jspecify.annotations.Nullable;

/** What a server does with a connection. */
@FunctionalInterface
interface ConnectionHandler {
    /** Returns the computation that serves this stream, which belongs to it: it closes it in the end. */
    Async<@Nullable Void> handle(TcpStream stream);
}
