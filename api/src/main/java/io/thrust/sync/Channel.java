package io.thrust.sync;

import io.thrust.task.Async;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue between tasks of one loop, with any number of senders and receivers, each served in the order in which
 * they began to wait. Belongs to one thread; {@link Mailbox} is the one for other threads.
 *
 * <p>Elements are received in the order in which they were sent. An element leaves the channel when a receive that is
 * polled takes it: one that is cancelled before has taken nothing. A send that is cancelled has sent nothing, or, if room
 * was made for it already, has sent its element.
 *
 * <p>After {@link #close} what was sent can still be received; then every receive has null, the end. Elements are never
 * null. Elements that nobody receives are not closed: drain a channel of resources with {@link #tryReceive}.
 *
 * @param <T> the type of the elements
 */
public final class Channel<T> extends Confined implements AutoCloseable {
    private final @Nullable Object[] elements;
    private int head;
    private int size;

    /** How many of the elements are there for receivers that were woken for them. */
    private int reserved;

    private boolean closed;
    private final WaitQueue senders = new WaitQueue();
    private final WaitQueue receivers = new WaitQueue();

    /**
     * Creates one.
     *
     * @param capacity how many elements it holds, at least 1
     */
    public Channel(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity is " + capacity + ", but must be at least 1");
        }
        elements = new @Nullable Object[capacity];
    }

    /** Sends the element, waiting for room; fails with {@link ChannelClosedException}, having sent nothing, if closed. */
    public Async<@Nullable Void> send(T element) {
        return new Send(Objects.requireNonNull(element, "element"));
    }

    /**
     * Sends the element if there is room and no other send waits.
     *
     * @return false if not; nothing was sent
     * @throws ChannelClosedException if it was closed
     */
    public boolean trySend(T element) {
        Objects.requireNonNull(element, "element");
        ensureOwner();
        ensureOpen();
        if (size == elements.length || !senders.isEmpty()) {
            return false;
        }
        put(element);
        return true;
    }

    /** Receives the next element, waiting for it; null at the end. */
    public Async<@Nullable T> receive() {
        return new Receive();
    }

    /** Receives the next element if there is one that nobody waits for; else, and at the end, null. */
    public @Nullable T tryReceive() {
        ensureOwner();
        return size > reserved ? take() : null;
    }

    /** Ends sending: sends that wait fail; receivers get what was sent, then the end. Closing again does nothing. */
    @Override
    public void close() {
        // Not only by the owner: a loop that another thread closes cancels its tasks there.
        if (!closed) {
            closed = true;
            senders.grantAll();
            endReceivers();
        }
    }

    /** Whether {@link #close} was called. */
    public boolean isClosed() {
        return closed;
    }

    /** The number of elements that were sent and not received. */
    public int size() {
        return size;
    }

    /** How many elements it holds at most. */
    public int capacity() {
        return elements.length;
    }

    private void put(Object element) {
        int tail = head + size;
        elements[tail < elements.length ? tail : tail - elements.length] = element;
        size++;
        wakeReceiver();
    }

    /** Lets the receiver that waits longest have an element that is there for nobody. */
    private void wakeReceiver() {
        if (size > reserved && !receivers.isEmpty()) {
            reserved++;
            receivers.grantFirst();
        }
    }

    @SuppressWarnings("unchecked") // only elements of type T are put
    private T take() {
        T element = (T) Objects.requireNonNull(elements[head]);
        elements[head] = null;
        head = head + 1 == elements.length ? 0 : head + 1;
        size--;
        Waiter<?> sender = senders.first();
        if (sender != null && !closed) {
            Send send = (Send) sender;
            send.sent = true;
            put(send.element);
            senders.grantFirst();
        }
        endReceivers();
        return element;
    }

    private void endReceivers() {
        if (closed && size == 0) {
            receivers.grantAll();
        }
    }

    private void ensureOpen() {
        if (closed) {
            throw new ChannelClosedException("the channel was closed; what is sent now would not be received");
        }
    }

    private final class Send extends Waiter<@Nullable Void> {
        private final T element;
        private boolean sent;

        Send(T element) {
            this.element = element;
        }

        @Override
        boolean begin() {
            return trySend(element);
        }

        @Override
        boolean takeGranted() {
            if (!sent) {
                ensureOpen();
            }
            return true;
        }

        @Override
        WaitQueue queue() {
            return senders;
        }

        @Override
        void onGrantRefused() {
            // Sent, or refused: nothing is to be given back.
        }

        @Override
        protected @Nullable Void value() {
            return null;
        }
    }

    private final class Receive extends Waiter<@Nullable T> {
        private @Nullable T received;

        @Override
        boolean begin() {
            received = tryReceive();
            return received != null || (closed && size == 0);
        }

        @Override
        boolean takeGranted() {
            if (size > 0) {
                reserved--;
                received = take();
            }
            return true;
        }

        @Override
        WaitQueue queue() {
            return receivers;
        }

        @Override
        void onGrantRefused() {
            if (size > 0) {
                reserved--;
                wakeReceiver();
            }
        }

        @Override
        protected @Nullable T value() {
            return received;
        }
    }
}
