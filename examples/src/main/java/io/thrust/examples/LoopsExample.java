package io.thrust.examples;

import io.thrust.EventLoop;
import io.thrust.net.ConnectionHandler;
import io.thrust.net.TcpListener;
import io.thrust.poll.ListenOptions;
import io.thrust.task.Async;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * How are several processors used? By a loop on each, which share a port and nothing else. The system has to spread the
 * connections among the listeners of a port, as Linux does.
 */
final class LoopsExample {
    private LoopsExample() {}

    // [loops]
    /** Serves on a free port by all of these loops, each on a thread of its own, until they are closed. */
    static InetSocketAddress serve(List<EventLoop> loops, Supplier<ConnectionHandler> handlers) {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        for (EventLoop loop : loops) {
            InetSocketAddress wanted = address;
            CompletableFuture<InetSocketAddress> bound = loop.submit(() -> listen(loop, wanted, handlers.get()));
            new Thread(loop::run, "loop-" + loops.indexOf(loop)).start();
            address = bound.join(); // the first has taken a free port, the others take the same
        }
        return address;
    }

    private static Async<InetSocketAddress> listen(
            EventLoop loop, InetSocketAddress address, ConnectionHandler handler) {
        try {
            TcpListener listener = TcpListener.bind(loop, address, ListenOptions.DEFAULT.withReusePort(true));
            loop.spawn(listener.serve(handler)).detach();
            return Async.ready(listener.localAddress());
        } catch (IOException e) {
            return Async.failed(e);
        }
    }
    // [/loops]
}
