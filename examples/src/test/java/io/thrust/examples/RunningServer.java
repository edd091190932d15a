package io.thrust.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thrust.EventLoop;
import io.thrust.net.ConnectionHandler;
import io.thrust.net.ServeOptions;
import io.thrust.net.TcpListener;
import io.thrust.poll.Availability;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.PollerProvider;
import io.thrust.task.Async;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** A server on a thread of its own. Closing it shows that it ended cleanly and had nothing to complain about. */
final class RunningServer implements AutoCloseable {
    private static final Logger LOGGER = Logger.getLogger("io.thrust");

    private final EventLoop loop;
    private final InetSocketAddress address;
    private final CompletableFuture<Throwable> end = new CompletableFuture<>();
    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private final Handler logHandler = new Handler() {
        @Override
        public void publish(LogRecord record) {
            complaints.add(record.getMessage() + " " + record.getThrown());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    private RunningServer(PollerProvider provider, ConnectionHandler handler) throws IOException {
        Availability availability = provider.availability();
        assumeTrue(availability.isAvailable(), availability.reason());
        logHandler.setLevel(Level.WARNING);
        LOGGER.addHandler(logHandler);
        loop = EventLoop.open(provider);
        CompletableFuture<InetSocketAddress> bound = new CompletableFuture<>();
        Thread thread = new Thread(() -> serve(handler, bound), "server");
        thread.setDaemon(true);
        thread.start();
        address = bound.join();
    }

    static RunningServer http(PollerProvider provider) throws IOException {
        return new RunningServer(provider, new HttpServer(Duration.ofMinutes(1)));
    }

    static RunningServer echo(PollerProvider provider) throws IOException {
        return new RunningServer(provider, new EchoServer());
    }

    static RunningServer of(PollerProvider provider, ConnectionHandler handler) throws IOException {
        return new RunningServer(provider, handler);
    }

    private void serve(ConnectionHandler handler, CompletableFuture<InetSocketAddress> bound) {
        try {
            TcpListener listener = TcpListener.bind(
                    loop,
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    ListenOptions.DEFAULT.withBacklog(4096));
            bound.complete(listener.localAddress());
            loop.blockOn(listener.serve(
                    handler, ServeOptions.DEFAULT.withOnFailure(failure -> complaints.add(failure.toString()))));
            end.complete(new AssertionError("the server ended of itself"));
        } catch (Throwable t) {
            bound.completeExceptionally(t);
            end.complete(t);
        }
    }

    InetSocketAddress address() {
        return address;
    }

    TestClient connect() throws IOException {
        return new TestClient(address);
    }

    /** The number of connections that have not ended. */
    int connections() {
        // Less the acceptor and the question itself.
        return loop.submit(() -> Async.ready(loop.executor().taskCount() - 2)).join();
    }

    @Override
    public void close() throws Exception {
        loop.close();
        assertThat(loop.awaitClosed(Patience.PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
                .isTrue();
        assertThat(end.get(Patience.PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
                .isInstanceOfAny(CancellationException.class, RejectedExecutionException.class);
        LOGGER.removeHandler(logHandler);
        assertThat(complaints).isEmpty();
    }
}
