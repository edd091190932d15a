package io.thrust.examples;

import io.thrust.EventLoop;
import io.thrust.net.TcpListener;
import io.thrust.poll.ListenOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;

/** Runs a server on the calling thread until the process is asked to end. */
final class Service {
    /** A burst of clients waits here instead of being turned away. */
    private static final int BACKLOG = 4096;

    private static final long SECONDS_TO_CLOSE = 5;

    private Service() {}

    /**
     * Listens, says so in a line, and serves until the JVM shuts down.
     *
     * @param name what the server is called in that line
     */
    static void run(String name, InetSocketAddress address, ConnectionHandler handler, PrintWriter out, PrintWriter err)
            throws IOException {
        try (EventLoop loop = EventLoop.open()) {
            TcpListener listener = TcpListener.bind(loop, address, ListenOptions.DEFAULT.withBacklog(BACKLOG));
            Runtime.getRuntime().addShutdownHook(new Thread(() -> close(loop), "close " + name));
            out.println(name + " listening on " + Address.format(listener.localAddress()) + " (poller "
                    + loop.provider().name() + ")");
            out.flush();
            loop.blockOn(new Acceptor(listener, handler, line -> {
                err.println(name + ": " + line);
                err.flush();
            }));
        } catch (CancellationException e) {
            // The hook closed the loop: the usual end.
        }
    }

    private static void close(EventLoop loop) {
        loop.close();
        try {
            loop.awaitClosed(SECONDS_TO_CLOSE, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
