package io.thrust.task;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Where threads other than the loop's leave tasks, and where the loop waits for them, for I/O and for timers. None that was
 * left is waited for: either the loop sees it before it parks, or it is woken.
 */
final class Inbox {
    private final RemoteQueue queue = new RemoteQueue();
    private final Parker parker;
    private final Doorbell doorbell;

    Inbox(Parker parker) {
        this.parker = parker;
        this.doorbell = new Doorbell(parker);
    }

    /** Adds a cell that is in no inbox, from any thread; false if this is closed. */
    boolean add(TaskCell<?> cell) {
        if (!queue.add(cell)) {
            return false;
        }
        doorbell.ring();
        return true;
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    /** See {@link RemoteQueue#takeAll}. */
    @Nullable TaskCell<?> takeAll() {
        return queue.takeAll();
    }

    /** See {@link RemoteQueue#close}. */
    @Nullable TaskCell<?> close() {
        return queue.close();
    }

    /** Serves I/O and timers; waits for them for at most this long, unless there is something here or the loop closes. */
    void park(long maxNanos, Ownership ownership) throws IOException {
        doorbell.listen();
        try {
            // Whoever adds from here on sees that this thread is parked, or is seen here.
            boolean wait = queue.isEmpty() && !ownership.isClosing();
            parker.park(wait ? maxNanos : 0);
        } finally {
            doorbell.ignore();
        }
    }
}
