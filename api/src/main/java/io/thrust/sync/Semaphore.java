package io.thrust.sync;

import io.thrust.task.Async;
import org.jspecify.annotations.Nullable;

/**
 * Permits of which tasks of one loop hold some and others wait for some: in the order in which they began to wait, also
 * where a later one asks for fewer. Belongs to one thread.
 *
 * <pre>{@code
 * semaphore.acquire().then(permit -> work().closing(permit))
 * }</pre>
 */
public final class Semaphore extends Confined {
    private final WaitQueue waiters = new WaitQueue();
    private long available;

    /**
     * Creates one.
     *
     * @param permits how many there are at first, 0 or more
     */
    public Semaphore(int permits) {
        if (permits < 0) {
            throw new IllegalArgumentException("permits is " + permits + ", but must be 0 or more");
        }
        available = permits;
    }

    /** Permits that are held; closing it gives them back, once. A result that nobody can take is closed for you. */
    public interface Permit extends AutoCloseable {
        /** How many. */
        int count();

        @Override
        void close();
    }

    /** Waits for one permit and takes it. */
    public Async<Permit> acquire() {
        return acquire(1);
    }

    /**
     * Waits until so many permits are there for it at once, and takes them. Cancelling it gives back what it was granted.
     *
     * @param count at least 1. More than there will ever be waits for ever, and lets nobody behind it pass
     */
    public Async<Permit> acquire(int count) {
        return new Acquire(atLeastOne(count));
    }

    /** Takes one permit if one is there and nobody waits, else returns null. */
    public @Nullable Permit tryAcquire() {
        return tryAcquire(1);
    }

    /** Takes so many permits, at least 1, if they are there and nobody waits, else returns null. */
    public @Nullable Permit tryAcquire(int count) {
        Acquire acquire = new Acquire(atLeastOne(count));
        return acquire.begin() ? acquire.hold() : null;
    }

    /** Adds permits to those that there are in all. */
    public void add(int permits) {
        ensureOwner();
        available += atLeastOne(permits);
        serve();
    }

    /** How many are there that nobody holds, nor was granted. */
    public long available() {
        return available;
    }

    /** Grants those that wait first what is there. */
    private void serve() {
        Waiter<?> first;
        while ((first = waiters.first()) != null && ((Acquire) first).count <= available) {
            available -= ((Acquire) first).count;
            waiters.grantFirst();
        }
    }

    private static int atLeastOne(int permits) {
        if (permits < 1) {
            throw new IllegalArgumentException("the number of permits is " + permits + ", but must be at least 1");
        }
        return permits;
    }

    private final class Acquire extends Waiter<Permit> implements Permit {
        private final int count;
        private boolean held;

        Acquire(int count) {
            this.count = count;
        }

        @Override
        boolean begin() {
            ensureOwner();
            if (!waiters.isEmpty() || count > available) {
                return false;
            }
            available -= count;
            held = true;
            return true;
        }

        @Override
        boolean takeGranted() {
            held = true;
            return true;
        }

        Permit hold() {
            return this;
        }

        @Override
        WaitQueue queue() {
            return waiters;
        }

        @Override
        void onLeft() {
            // Those behind it may ask for less.
            serve();
        }

        @Override
        void onGrantRefused() {
            available += count;
            serve();
        }

        @Override
        protected Permit value() {
            return this;
        }

        @Override
        public int count() {
            return count;
        }

        @Override
        public void close() {
            // Not only by the owner: a loop that another thread closes cancels its tasks there.
            if (held) {
                held = false;
                available += count;
                serve();
            }
        }
    }
}
