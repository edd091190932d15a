package io.thrust.examples;

import io.thrust.EventLoop;
import io.thrust.net.ConnectionHandler;
import io.thrust.net.ServeOptions;
import io.thrust.net.TcpListener;
import io.thrust.poll.ListenOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** Runs a server on the calling thread until the process is asked to end. */
final class Service {
    /** A burst of clients waits here instead of being turned away. */
    private static final int BACKLOG = 4096;

    private static final long SECONDS_TO_CLOSE = 1;

    private Service() {}

    /**
     * Listens, says so in a line, and serves until the JVM shuts down.
     *
     * @param name what the server is called in that line
     */
    static void run(
            String name,
            InetSocketAddress address,
            ConnectionHandler handler,
            ServeOptions options,
            PrintWriter out,
            PrintWriter err)
            throws IOException {
        try (EventLoop loop = EventLoop.open()) {
            TcpListener listener = TcpListener.bind(loop, address, ListenOptions.DEFAULT.withBacklog(BACKLOG));
            Runtime.getRuntime().addShutdownHook(new Thread(() -> close(name, loop, err), "close " + name));
            out.println(name + " listening on " + Address.format(listener.localAddress()) + " (poller "
                    + loop.provider().name() + ")");
            out.flush();
            loop.blockOn(listener.serve(handler, options.withOnFailure(failure -> {
                err.println(name + ": cannot accept a connection, going on: " + failure.getMessage());
                err.flush();
            })));
        } catch (CancellationException | RejectedExecutionException e) {
            // The hook closed the loop: the usual end, also before it ran.
        }
    }

    private static void close(String name, EventLoop loop, PrintWriter err) {
        loop.close();
        try {
            if (!loop.awaitClosed(SECONDS_TO_CLOSE, TimeUnit.SECONDS)) {
                err.println(name + ": connections are still open, ending all the same");
                err.flush();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
