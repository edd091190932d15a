package io.thrust.poll;

import java.io.Closeable;
import java.io.IOException;

/**
 * Something whose readiness a {@link Poller} of the same provider can watch. Sources are non-blocking and are not
 * inherited by child processes.
 *
 * <p>Threads: a source that is registered belongs to the thread that owns its poller, {@link #close} included; one
 * that is not registered belongs to whoever holds it, one thread at a time. A source is registered with at most one
 * poller at a time.
 *
 * <p>Once a source is closed, whatever would read, write, accept, connect, shut down, or touch an option throws {@link
 * SourceClosedException}. What it only knows, such as its {@link #provider}, its {@link #directions} and a stream's
 * remote address, it goes on telling; whether it still knows its local address is its own affair.
 */
public interface Source extends Closeable {

    /** The provider that opened, accepted or adopted this source. */
    PollerProvider provider();

    /** The directions that this source has at all: a listener has {@link Interest#READ} only. */
    Interest directions();

    /** Whether {@link #close} was not called yet. */
    boolean isOpen();

    /**
     * Deregisters this source if it is registered, then releases it. Closing a closed source does nothing.
     *
     * @throws IllegalStateException if it is registered and the calling thread does not own that poller; nothing is
     *     closed then
     * @throws IOException if the system reported an error while closing; the source counts as closed nevertheless
     */
    @Override
    void close() throws IOException;
}
