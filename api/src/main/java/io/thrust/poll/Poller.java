package io.thrust.poll;

import java.io.IOException;

/**
 * Watches registered sources and fetches those that became ready.
 *
 * <h2>Threads</h2>
 *
 * A poller belongs to the thread that first polls, registers or modifies. Only {@link #wakeup}, {@link #close}, {@link
 * #isOpen}, {@link #provider} and {@link #events} (not what it returns) may be called from any thread; any other call from another thread throws an {@link
 * IllegalStateException} that names both threads, and changes nothing.
 *
 * <h2>Registrations</h2>
 *
 * The poller's own table decides what is registered, not the kernel's error codes, so each mistake has the same
 * exception on every backend. Guarantees are per registration and not per key: keys are any {@code long} and need not
 * be unique. A source is deregistered before it is closed, always ({@link Source#close} does so itself).
 *
 * <p>Once the poller is closed every method but those throws {@link PollerClosedException}.
 */
public interface Poller extends AutoCloseable {

    /** A timeout without end. */
    long FOREVER = -1;

    /** The provider that opened this poller. */
    PollerProvider provider();

    /**
     * Starts to watch a source. Readiness that exists already is reported by the next poll.
     *
     * @param source an open source of this poller's provider that is registered with no poller
     * @param key comes back in {@link ReadyEvents#key}, bit for bit
     * @param interest the directions to watch, all of them in {@link Source#directions()}; {@link Interest#NONE} is
     *     legal
     * @param mode one of {@link PollerProvider#modes()}
     * @throws ForeignSourceException if another provider made the source
     * @throws UnsupportedModeException if this provider lacks the mode
     * @throws IllegalArgumentException if the source lacks a direction of the interest
     * @throws AlreadyRegisteredException if the source, or another one over the same descriptor or channel, is
     *     registered with this poller, or the source with another one; the present registration stays as it is
     * @throws SourceClosedException if the source is closed
     * @throws IOException if the system refused; nothing is registered then
     */
    void register(Source source, long key, Interest interest, Mode mode) throws IOException;

    /**
     * Replaces key, interest and mode of a registration, and looks at the readiness anew: what exists is reported by
     * the next poll. An entry that was fetched for the source and is still in the batch becomes blank.
     *
     * @throws NotRegisteredException if the source is not registered with this poller
     * @throws UnsupportedModeException as for {@link #register}
     * @throws IllegalArgumentException as for {@link #register}
     * @throws IOException if the system refused; key, interest and mode stay as they were
     */
    void modify(Source source, long key, Interest interest, Mode mode) throws IOException;

    /**
     * In {@link Mode#EDGE}: says that an operation found that it would block (or was short, see {@link Mode#EDGE}) in
     * these directions, so that the next readiness is to be reported. It costs no system call of its own: what the
     * backend has to tell the kernel is told by the next poll. In {@link Mode#LEVEL} it does nothing.
     *
     * @param directions any of the registration's interest; {@link Interest#NONE} does nothing
     * @throws NotRegisteredException if the source is not registered with this poller
     * @throws IllegalArgumentException if a direction is not in the registration's interest
     * @throws IllegalStateException in {@link Mode#ONE_SHOT}, where {@link #modify} arms again
     */
    void rearm(Source source, Interest directions);

    /**
     * Stops watching a source: no event of this registration is delivered any more, and an entry that was fetched and
     * is still in the batch becomes blank. The source stays open and can be registered again at once.
     *
     * @throws NotRegisteredException if the source is not registered with this poller
     * @throws IOException if the system reported an error; the source is deregistered nevertheless
     */
    void deregister(Source source) throws IOException;

    /**
     * Waits until a source is ready, a wake-up comes, the timeout has passed, or the poller is closed; and fetches what
     * is ready then into {@link #events()}, whose former content is gone. It never returns earlier. Interrupting the
     * thread neither ends the wait nor closes anything, and the interrupt status is there again afterwards.
     *
     * @param timeoutNanos the longest time to wait in nanoseconds, rounded up to what the system can do; 0 fetches what
     *     is ready and does not wait; {@link #FOREVER} sets no limit
     * @return the number of entries in the batch
     * @throws IllegalArgumentException if the timeout is negative and not {@link #FOREVER}
     */
    int poll(long timeoutNanos) throws IOException;

    /** The batch that {@link #poll} fills: the same object for the life of this poller. */
    ReadyEvents events();

    /**
     * Ends the poll under way, or the next one if none is; from any thread. Wake-ups merge: several that come before
     * one poll returns end that poll only. One that comes after a poll returned, while its batch is dispatched, ends
     * the next. A wake-up is no event and uses no key. On a closed poller it does nothing.
     */
    void wakeup();

    boolean isOpen();

    /**
     * Releases this poller; from any thread. Registered sources are deregistered and stay open. If the owner is inside
     * a poll, that poll is woken, the owner releases the poller on the way out, and the poll returns 0. Closing a closed
     * poller does nothing.
     *
     * @throws IOException if the system reported an error; the poller is closed nevertheless
     */
    @Override
    void close() throws IOException;
}
