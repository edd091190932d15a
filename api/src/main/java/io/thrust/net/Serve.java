package io.thrust.net;

import io.thrust.EventLoop;
import io.thrust.Timers;
import io.thrust.log.Log;
import io.thrust.poll.SourceClosedException;
import io.thrust.task.AbstractAsync;
import io.thrust.task.Async;
import io.thrust.task.Waker;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** See {@link TcpListener#serve}. */
final class Serve extends AbstractAsync<@Nullable Void> {
    private static final Log LOG = new Log("io.thrust.net");
    private static final long NANOS_BETWEEN_REPORTS = 1_000_000_000L;

    private final EventLoop loop;
    private final TcpListener listener;
    private final ConnectionHandler handler;
    private final ServeOptions options;

    private @Nullable Waker waker;
    private int connections;
    private Duration nextPause;
    private @Nullable Async<@Nullable Void> pause;
    private boolean reported;
    private long reportTime;

    Serve(EventLoop loop, TcpListener listener, ConnectionHandler handler, ServeOptions options) {
        this.loop = loop;
        this.listener = listener;
        this.handler = Objects.requireNonNull(handler, "handler");
        this.options = Objects.requireNonNull(options, "options");
        nextPause = options.firstPause();
    }

    @Override
    protected boolean advance(Waker waker) throws Exception {
        this.waker = waker;
        try {
            return acceptOrPause(waker);
        } catch (Throwable t) {
            // The loop is closed, or whoever is told of failures fails.
            end();
            throw t;
        }
    }

    private boolean acceptOrPause(Waker waker) throws Exception {
        while (true) {
            try {
                if (!isPauseOver(waker)) {
                    return PENDING;
                }
                acceptAll(waker);
                return PENDING;
            } catch (SourceClosedException e) {
                end();
                return READY;
            } catch (IOException e) {
                report(e);
                pause = Timers.sleep(nextPause);
                nextPause = twice(nextPause, options.longestPause());
            } catch (RejectedExecutionException e) {
                if (!loop.isClosed()) {
                    throw e;
                }
                // By the handler, or by another thread: the loop is about to cancel this.
                return PENDING;
            }
        }
    }

    private boolean isPauseOver(Waker waker) throws Exception {
        Async<@Nullable Void> pause = this.pause;
        if (pause == null) {
            return true;
        }
        if (pause.poll(waker) == PENDING) {
            if (listener.isOpen()) {
                return false;
            }
            pause.cancel();
        }
        this.pause = null;
        return true;
    }

    private void acceptAll(Waker waker) throws IOException {
        while (connections < options.maxConnections()) {
            TcpStream stream = listener.pollAccept(this, waker);
            if (stream == null) {
                return;
            }
            nextPause = options.firstPause();
            serve(stream);
        }
        // Nobody waits for the listener now; its close wakes nevertheless.
        listener.ensureOpen();
    }

    private void serve(TcpStream stream) {
        Async<?> connection;
        try {
            connection = Objects.requireNonNull(handler.handle(stream), "the handler returned null");
        } catch (Throwable t) {
            stream.closeQuietly();
            report(t instanceof Exception e ? e : new ExecutionException("the handler threw an error", t));
            return;
        }
        if (options.maxConnections() < Integer.MAX_VALUE) {
            connection = new Counted<>(connection);
        }
        loop.spawnBackground(connection).detach();
    }

    private void report(Exception failure) {
        long now = loop.reactor().nanoTime();
        if (!reported || now - reportTime >= NANOS_BETWEEN_REPORTS) {
            reported = true;
            reportTime = now;
            try {
                options.onFailure().accept(failure);
            } catch (Throwable t) {
                LOG.error(() -> "who is to be told of failures failed, being told of " + failure, t);
            }
        }
    }

    /** Without overflow. */
    private static Duration twice(Duration pause, Duration most) {
        return pause.compareTo(most.dividedBy(2)) < 0 ? pause.multipliedBy(2) : most;
    }

    /** By the listener when it was closed. */
    void onClose() {
        wake();
    }

    private void wake() {
        Waker waker = this.waker;
        if (waker != null) {
            waker.wake();
        }
    }

    private void end() {
        waker = null;
        if (pause != null) {
            pause.cancel();
            pause = null;
        }
        listener.endServe(this);
    }

    @Override
    protected @Nullable Void value() {
        return null;
    }

    @Override
    protected void release() {
        end();
        try {
            listener.close();
        } catch (IOException e) {
            report(e);
        }
    }

    /** A connection that counts until it ends. */
    private final class Counted<T extends @Nullable Object> implements Async<T> {
        private final Async<T> inner;
        private boolean counted = true;

        Counted(Async<T> inner) {
            this.inner = inner;
            connections++;
        }

        private void uncount() {
            if (counted) {
                counted = false;
                if (connections-- == options.maxConnections()) {
                    wake();
                }
            }
        }

        @Override
        public boolean poll(Waker waker) throws Exception {
            boolean pending = false;
            try {
                pending = inner.poll(waker) == PENDING;
            } finally {
                if (!pending) {
                    uncount();
                }
            }
            return pending ? PENDING : READY;
        }

        @Override
        public T result() {
            return inner.result();
        }

        @Override
        public void cancel() {
            try {
                inner.cancel();
            } finally {
                uncount();
            }
        }
    }
}
