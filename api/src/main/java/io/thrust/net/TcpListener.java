package io.thrust.net;

import io.thrust.EventLoop;
import io.thrust.poll.Interest;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.SourceClosedException;
import io.thrust.poll.StreamSource;
import io.thrust.reactor.Registration;
import io.thrust.task.AbstractAsync;
import io.thrust.task.Async;
import io.thrust.task.Budget;
import io.thrust.task.Waker;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A listening TCP socket, IPv4 or IPv6. Belongs to its loop: all methods are called on the loop's thread. Closing the
 * loop closes it.
 */
public final class TcpListener implements Closeable {
    private final EventLoop loop;
    private final ListenerSource source;
    private final Registration registration;
    private final Budget budget;
    private final InetSocketAddress localAddress;

    /** Woken by {@link #close} also while it does not wait for a connection. */
    private @Nullable Serve serving;

    private TcpListener(
            EventLoop loop, ListenerSource source, InetSocketAddress localAddress, Registration registration) {
        this.loop = loop;
        this.source = source;
        this.localAddress = localAddress;
        this.registration = registration;
        this.budget = loop.executor().budget();
    }

    /** Listens, with {@link ListenOptions#DEFAULT}, on the loop that is running on this thread. */
    public static TcpListener bind(InetSocketAddress address) throws IOException {
        return bind(EventLoop.current(), address, ListenOptions.DEFAULT);
    }

    /**
     * Listens.
     *
     * @param loop a loop that belongs to this thread, or to none yet
     * @param address where; port 0 takes a free one, see {@link #localAddress}
     * @throws java.net.BindException if the address is in use, or not one of this machine; the message names it
     * @throws java.nio.channels.UnresolvedAddressException if the address is an unresolved name
     * @throws IllegalStateException if the loop belongs to another thread
     * @throws java.util.concurrent.RejectedExecutionException if the loop is closed
     */
    public static TcpListener bind(EventLoop loop, InetSocketAddress address, ListenOptions options)
            throws IOException {
        Objects.requireNonNull(address, "address");
        // A close of the loop by another thread meanwhile would find the listener half made, and leave it open.
        return loop.executor().call(() -> open(loop, address, options));
    }

    private static TcpListener open(EventLoop loop, InetSocketAddress address, ListenOptions options)
            throws IOException {
        ListenerSource source = loop.provider().listen(address, options);
        try {
            // All that may fail comes before the registration, which nobody would take back.
            InetSocketAddress localAddress = (InetSocketAddress) source.localAddress();
            return new TcpListener(loop, source, localAddress, loop.register(source, Interest.READ));
        } catch (Throwable t) {
            Sources.closeAfter(t, source);
            throw t;
        }
    }

    /** The address bound to, with the port that the system chose if 0 was asked for. */
    public InetSocketAddress localAddress() {
        return localAddress;
    }

    /**
     * Waits for a connection and accepts it. One at a time may be under way. If it is cancelled, the connection that
     * comes is the next one's to accept.
     *
     * <p>Fails with {@link io.thrust.poll.TooManyOpenFilesException} if no descriptor is left, and with {@link
     * io.thrust.poll.SourceClosedException} if the listener is closed. A connection that was gone before it could be
     * accepted is passed over.
     */
    public Async<TcpStream> accept() {
        return new Accept();
    }

    /**
     * {@link #accept} for those who write an {@link Async} of their own.
     *
     * @return null if none waits: the waker is woken when one does
     */
    public @Nullable TcpStream pollAccept(Waker waker) throws IOException {
        return pollAccept(waker, waker);
    }

    /**
     * Accepts connections and serves each by a background task of the loop, which runs on its own, until this listener is
     * closed; then the computation is ready. Cancelling it closes this listener, and leaves the connections to themselves.
     *
     * <p>Nothing that goes wrong with one connection ends it: an accept that fails, as for want of descriptors, is told
     * of (see {@link ServeOptions#onFailure}) and repeated after a pause, in which the loop goes on with everything else;
     * a handler that throws costs its own connection. While as many connections are served as the options allow, nothing
     * is accepted: what comes waits in the backlog of the system. One at a time may be under way; another one fails with
     * {@link IllegalStateException}.
     */
    public Async<@Nullable Void> serve(ConnectionHandler handler, ServeOptions options) {
        return new Serve(loop, this, handler, options);
    }

    /** As {@link #serve(ConnectionHandler, ServeOptions)}, with {@link ServeOptions#DEFAULT}. */
    public Async<@Nullable Void> serve(ConnectionHandler handler) {
        return serve(handler, ServeOptions.DEFAULT);
    }

    void ensureOpen() throws SourceClosedException {
        if (!isOpen()) {
            throw new SourceClosedException(this + " is closed");
        }
    }

    /** The server that accepts here lets go of it. */
    void endServe(Serve serve) {
        registration.releaseRead(serve);
        if (serving == serve) {
            serving = null;
        }
    }

    @Nullable TcpStream pollAccept(Serve serve, Waker waker) throws IOException {
        if (serving != null && serving != serve) {
            throw new IllegalStateException(
                    this + " is served already: one at a time; cancelling the one that serves closes the listener");
        }
        serving = serve;
        return pollAccept((Object) serve, waker);
    }

    private @Nullable TcpStream pollAccept(Object operation, Waker waker) throws IOException {
        Registration registration = this.registration;
        while (registration.pollReadable(operation, waker)) {
            if (!budget.take(waker)) {
                registration.holdRead(operation);
                return null;
            }
            StreamSource accepted = source.accept();
            if (accepted != null) {
                return TcpStream.register(loop, accepted, Interest.READ);
            }
            budget.giveBack();
            registration.clearReadable();
        }
        return null;
    }

    public boolean isOpen() {
        return registration.isOpen();
    }

    /** Stops listening. An accept under way fails with {@link io.thrust.poll.SourceClosedException}. */
    @Override
    public void close() throws IOException {
        try {
            registration.close();
        } finally {
            if (serving != null) {
                serving.onClose();
            }
        }
    }

    @Override
    public String toString() {
        return source.toString();
    }

    private final class Accept extends AbstractAsync<TcpStream> {
        private @Nullable TcpStream accepted;

        @Override
        protected boolean advance(Waker waker) throws IOException {
            accepted = pollAccept(this, waker);
            return accepted != null;
        }

        @Override
        protected TcpStream value() {
            return Objects.requireNonNull(accepted);
        }

        @Override
        protected void release() {
            registration.releaseRead(this);
        }
    }
}
