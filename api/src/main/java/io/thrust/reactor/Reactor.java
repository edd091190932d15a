package io.thrust.reactor;

import io.thrust.log.Log;
import io.thrust.poll.Interest;
import io.thrust.poll.Mode;
import io.thrust.poll.Poller;
import io.thrust.poll.ReadyEvents;
import io.thrust.poll.Source;
import io.thrust.task.Parker;
import io.thrust.task.Waker;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Watches sources through a {@link Poller} and turns their readiness into wake-ups of the wakers that wait for it, and
 * does the same for timers. A source is registered with the kernel once, for its life, in {@link Mode#EDGE}.
 *
 * <p>Belongs to the thread that owns the poller; only {@link #unpark} may be called from any thread, and {@link #close}
 * when no other thread is inside. No code of a user's runs in here but {@link io.thrust.task.Waker#wake}.
 */
public final class Reactor implements Parker, AutoCloseable {
    private static final Log LOG = new Log("io.thrust.reactor");

    private final Poller poller;
    private final ReadyEvents events;
    private final LongSupplier clock;
    private final TimerQueue timers = new TimerQueue();

    private @Nullable Registration[] registrations = new @Nullable Registration[16];
    private int registrationCount;
    /** The first index of the table that is free, which points at the next in {@link #nextFree}; -1 ends the list. */
    private int firstFree;

    private int[] nextFree = freeList(0, 16, new int[16]);
    private int generation;
    private long turnTime;
    private boolean closed;

    /**
     * Creates a reactor over a poller, which belongs to it from now on and is closed with it. The calling thread becomes
     * the poller's owner only when it first registers or waits.
     */
    public Reactor(Poller poller) {
        this(poller, System::nanoTime);
    }

    /**
     * As {@link #Reactor(Poller)}, with a clock of one's own.
     *
     * @param clock nanoseconds of a monotonic clock with any origin, compared by subtraction, as {@link System#nanoTime}
     */
    public Reactor(Poller poller, LongSupplier clock) {
        this.poller = Objects.requireNonNull(poller, "poller");
        this.clock = Objects.requireNonNull(clock, "clock");
        this.events = poller.events();
    }

    /** The poller under this reactor: not for others, whose keys are none of this table's. */
    Poller poller() {
        return poller;
    }

    /** The present time of this reactor's clock, in nanoseconds. */
    public long nanoTime() {
        return clock.getAsLong();
    }

    /** When the last turn ended in which a timer was pending: what {@link #nanoTime} was then. */
    long turnTime() {
        return turnTime;
    }

    /** For who is about to add a timer: takes the time now. */
    long startTurnTime() {
        turnTime = nanoTime();
        return turnTime;
    }

    /** The timers that {@link #turn} fires. */
    public TimerQueue timers() {
        return timers;
    }

    /** How many sources are registered. */
    public int registrationCount() {
        return registrationCount;
    }

    /**
     * Starts to watch a source. A direction that is not in the interest counts as ready until an operation finds that
     * it would block; it is watched from then on.
     *
     * <p>Call this inside a task. Outside of the loop's {@code run} the loop may be closed by another thread meanwhile,
     * which would not find a registration that is half made: use {@code EventLoop.register} there, which is refused or
     * done before.
     *
     * @param source an open source of the poller's provider, registered nowhere; it belongs to the registration from now
     *     on, unless this method throws
     * @throws IOException see {@link Poller#register}
     */
    public Registration register(Source source, Interest interest) throws IOException {
        int index = firstFree;
        if (index < 0) {
            index = registrations.length;
            registrations = Arrays.copyOf(registrations, index * 2);
            nextFree = freeList(index, index * 2, Arrays.copyOf(nextFree, index * 2));
            // At once: the poller may refuse the source, and refuse the next.
            firstFree = index;
        }
        long key = ((long) ++generation << Integer.SIZE) | index;
        poller.register(source, key, interest, Mode.EDGE);
        firstFree = nextFree[index];
        Registration registration = new Registration(this, source, key, interest);
        registrations[index] = registration;
        registrationCount++;
        return registration;
    }

    /** Forgets a registration, whose source is closed next. */
    void remove(Registration registration) {
        int index = (int) registration.key();
        if (registrations[index] == registration) {
            registrations[index] = null;
            nextFree[index] = firstFree;
            firstFree = index;
            registrationCount--;
        }
    }

    private static int[] freeList(int from, int to, int[] next) {
        for (int i = from; i < to; i++) {
            next[i] = i + 1 < to ? i + 1 : -1;
        }
        return next;
    }

    /**
     * Waits until a source or a timer is due or {@link #unpark} is called, and wakes whoever waits for what is due.
     *
     * @param maxNanos the longest time to wait; 0 does not wait, {@link Poller#FOREVER} sets no limit
     * @return the number of sources that became ready
     */
    public int turn(long maxNanos) throws IOException {
        int ready = poller.poll(maxNanos == 0 || timers.isEmpty() ? maxNanos : timers.limit(maxNanos, nanoTime()));
        if (ready > 0) {
            dispatch(ready);
        }
        if (!timers.isEmpty()) {
            long now = nanoTime();
            turnTime = now;
            timers.fire(now);
        }
        return ready;
    }

    private void dispatch(int ready) {
        ReadyEvents events = this.events;
        @Nullable Registration[] registrations = this.registrations;
        for (int i = 0; i < ready; i++) {
            if (events.isBlank(i)) {
                continue;
            }
            long key = events.key(i);
            int index = (int) key;
            if (Integer.compareUnsigned(index, registrations.length) >= 0) {
                // Registered by somebody who kept the poller: none of ours.
                continue;
            }
            Registration registration = registrations[index];
            // Whatever a backend does: what was registered before under this index gets nothing.
            if (registration != null && registration.key() == key) {
                registration.onReady(events.isReadable(i), events.isWritable(i), events.isHangup(i));
            }
        }
    }

    /** Wakes; a waker of a user's own that throws is told of and keeps nobody else from being woken. */
    static void wake(Waker waker) {
        try {
            waker.wake();
        } catch (Throwable t) {
            LOG.error(() -> "a waker threw: " + waker, t);
        }
    }

    /** {@link #turn}, for an executor. */
    @Override
    public void park(long maxNanos) throws IOException {
        turn(maxNanos);
    }

    @Override
    public void unpark() {
        poller.wakeup();
    }

    /** Closes the poller, so that sources can be closed by this thread though it may not have owned the poller. */
    @Override
    public void closing() {
        if (!closed) {
            closed = true;
            try {
                poller.close();
            } catch (IOException | RuntimeException e) {
                LOG.warning(() -> "closing " + poller + " failed", e);
            }
        }
    }

    /** Closes all sources that are still registered. An error of one is thrown when the others are closed. */
    @Override
    public void closed() {
        Error error = null;
        for (Registration registration : registrations) {
            if (registration != null) {
                try {
                    registration.close();
                } catch (IOException | RuntimeException e) {
                    LOG.warning(() -> "closing " + registration.source() + " failed", e);
                } catch (Error e) {
                    if (error == null) {
                        error = e;
                    } else if (error != e) {
                        error.addSuppressed(e);
                    }
                } finally {
                    // Its source may say that it is still open: nobody would ever be woken by it.
                    registration.abandon();
                }
            }
        }
        if (error != null) {
            throw error;
        }
    }

    /** Closes the poller and all registered sources; whoever waits for one is woken and finds it closed. */
    @Override
    public void close() {
        try {
            closing();
        } finally {
            closed();
        }
    }
}
