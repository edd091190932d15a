package io.thrust.task;

import java.io.IOException;

/** How an executor waits while no task is ready, and serves I/O and timers in between: a reactor, usually. */
public interface Parker {

    /**
     * Serves what is due, waking tasks; waits for something to serve for at most this long. On the executor's thread.
     *
     * @param maxNanos 0 does not wait; -1 sets no limit
     * @throws IOException if nothing can be served any more; the executor then ends
     */
    void park(long maxNanos) throws IOException;

    /** Ends the present or the next {@link #park}; from any thread. */
    void unpark();

    /** Called once when the executor closes, before it cancels its tasks; nothing is parked any more. */
    default void closing() {}

    /** Called once when the executor closes, after it has cancelled its tasks. */
    default void closed() {}
}
