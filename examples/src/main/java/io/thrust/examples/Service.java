package io.thrust.examples;

import io.thrust.EventLoop;
import io.thrust.net.ConnectionHandler;
import io.thrust.net.ServeOptions;
import io.thrust.net.TcpListener;
import io.thrust.poll.ListenOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Runs a server, on the calling thread and on a thread for each further loop, until the process is asked to end. */
final class Service {
    /** A burst of clients waits here instead of being turned away. */
    private static final int BACKLOG = 4096;

    private static final long SECONDS_TO_CLOSE = 1;

    private final String name;
    private final Opener opener;
    private final ServeOptions options;
    private final PrintWriter err;
    private final ListenOptions listening;
    private final List<EventLoop> loops = new ArrayList<>();

    /** Of a further loop: what ended all. */
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    private Service(String name, int loops, Opener opener, ServeOptions options, PrintWriter err) throws IOException {
        this.name = name;
        this.opener = opener;
        this.err = err;
        this.options = options.withOnFailure(
                failure -> report("cannot accept a connection, going on: " + failure.getMessage()));
        listening = ListenOptions.DEFAULT.withBacklog(BACKLOG).withReusePort(loops > 1);
        try {
            for (int i = 0; i < loops; i++) {
                this.loops.add(EventLoop.open());
            }
        } catch (Throwable t) {
            close();
            throw t;
        }
    }

    /** Makes the handler of each loop, on its thread. */
    @FunctionalInterface
    interface Opener {
        ConnectionHandler open(EventLoop loop) throws IOException;
    }

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
        run(name, address, 1, loop -> handler, options, out, err);
    }

    /**
     * The same with several loops, each on a thread of its own.
     *
     * @param loops how many; if more than one, each listens on the same port, and the system spreads the connections
     */
    static void run(
            String name,
            InetSocketAddress address,
            int loops,
            Opener opener,
            ServeOptions options,
            PrintWriter out,
            PrintWriter err)
            throws IOException {
        new Service(name, loops, opener, options, err).run(address, out);
    }

    private void run(InetSocketAddress address, PrintWriter out) throws IOException {
        Runtime.getRuntime().addShutdownHook(new Thread(this::closeAndWait, "close " + name));
        try {
            EventLoop loop = loops.get(0);
            TcpListener listener = TcpListener.bind(loop, address, listening);
            ConnectionHandler handler = opener.open(loop);
            for (int i = 1; i < loops.size(); i++) {
                start(i, listener.localAddress());
            }
            out.println(name + " listening on " + Address.format(listener.localAddress()) + " (poller "
                    + loop.provider().name() + (loops.size() > 1 ? ", " + loops.size() + " loops" : "") + ")");
            out.flush();
            loop.blockOn(listener.serve(handler, options));
        } catch (CancellationException | RejectedExecutionException e) {
            // The hook closed the loop: the usual end, also before it ran.
            rethrow(failure.get());
        } finally {
            close();
        }
    }

    /** Returns when the loop listens. */
    private void start(int index, InetSocketAddress address) throws IOException {
        EventLoop loop = loops.get(index);
        CompletableFuture<@Nullable Void> bound = new CompletableFuture<>();
        new Thread(() -> serve(loop, address, bound), name + "-" + index).start();
        try {
            bound.join();
        } catch (CompletionException e) {
            rethrow(e.getCause());
        }
    }

    private void serve(EventLoop loop, InetSocketAddress address, CompletableFuture<@Nullable Void> bound) {
        try {
            TcpListener listener = TcpListener.bind(loop, address, listening);
            ConnectionHandler handler = opener.open(loop);
            bound.complete(null);
            loop.blockOn(listener.serve(handler, options));
        } catch (CancellationException | RejectedExecutionException e) {
            bound.completeExceptionally(e);
        } catch (Throwable t) {
            failure.compareAndSet(null, t);
            bound.completeExceptionally(t);
            // One loop less would go unnoticed.
            close();
        }
    }

    private static void rethrow(@Nullable Throwable failure) throws IOException {
        if (failure instanceof IOException e) {
            throw e;
        }
        if (failure instanceof RuntimeException e) {
            throw e;
        }
        if (failure instanceof Error e) {
            throw e;
        }
    }

    private void report(String what) {
        err.println(name + ": " + what);
        err.flush();
    }

    private void close() {
        loops.forEach(EventLoop::close);
    }

    private void closeAndWait() {
        close();
        try {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_TO_CLOSE);
            for (EventLoop loop : loops) {
                if (!loop.awaitClosed(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    report("connections are still open, ending all the same");
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
