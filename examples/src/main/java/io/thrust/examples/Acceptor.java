package io.thrust.examples;

import io.thrust.EventLoop;
import io.thrust.Timers;
import io.thrust.net.TcpListener;
import io.thrust.net.TcpStream;
import io.thrust.poll.SourceClosedException;
import io.thrust.task.Async;
import io.thrust.task.Waker;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Accepts connections and serves each by a background task of its own, until the listener is closed. What goes wrong
 * with one connection, or with accepting it, is told of in a line and ends nothing else.
 */
final class Acceptor implements Async<@Nullable Void> {
    /** How long to wait after a failure, most likely for others to close their descriptors. */
    private static final Duration PAUSE = Duration.ofMillis(50);

    private static final long NANOS_BETWEEN_REPORTS = 1_000_000_000L;

    private final TcpListener listener;
    private final ConnectionHandler handler;
    private final Consumer<String> log;
    private @Nullable Async<@Nullable Void> pause;
    private boolean reported;
    private long reportTime;

    /**
     * Creates one; the listener belongs to it.
     *
     * @param log takes lines that tell of failures, one a second at most
     */
    Acceptor(TcpListener listener, ConnectionHandler handler, Consumer<String> log) {
        this.listener = listener;
        this.handler = handler;
        this.log = log;
    }

    @Override
    public boolean poll(Waker waker) throws Exception {
        EventLoop loop = EventLoop.current();
        while (true) {
            Async<@Nullable Void> pause = this.pause;
            if (pause != null) {
                if (pause.poll(waker) == PENDING) {
                    return PENDING;
                }
                this.pause = null;
            }
            try {
                TcpStream stream;
                while ((stream = listener.pollAccept(waker)) != null) {
                    loop.spawnBackground(handler.handle(stream)).detach();
                }
                return PENDING;
            } catch (SourceClosedException e) {
                return READY;
            } catch (IOException e) {
                report(e);
                this.pause = Timers.sleep(PAUSE);
            }
        }
    }

    private void report(IOException failure) {
        long now = System.nanoTime();
        if (!reported || now - reportTime >= NANOS_BETWEEN_REPORTS) {
            reported = true;
            reportTime = now;
            log.accept("cannot accept a connection, going on: " + failure.getMessage());
        }
    }

    @Override
    public @Nullable Void result() {
        return null;
    }

    @Override
    public void cancel() {
        if (pause != null) {
            pause.cancel();
            pause = null;
        }
        try {
            listener.close();
        } catch (IOException e) {
            log.accept("closing " + listener + " failed: " + e.getMessage());
        }
    }
}
