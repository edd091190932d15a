package io.thrust.sync;

import io.thrust.task.AbstractAsync;
import io.thrust.task.Async;
import io.thrust.task.Budget;
import io.thrust.task.Waker;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue into which any thread sends and from which a task of one loop receives. {@link #trySend}, {@link #close},
 * {@link #isClosed} and {@link #size} may be called from any thread; receiving belongs to the thread of the loop.
 *
 * <p>Elements of one sender are received in the order in which it sent them. Sending takes no lock and allocates nothing,
 * and wakes the loop only if the receiver waits. A receive that is cancelled has taken nothing. After {@link #close} what
 * was sent can still be received; then every receive has null, the end. Elements are never null.
 *
 * @param <T> the type of the elements
 */
public final class Mailbox<T> extends Confined implements AutoCloseable {
    /** In {@link #tail}: closed. The other bits are the number of elements that were ever sent. */
    private static final long CLOSED = Long.MIN_VALUE;

    private final int capacity;

    /** A claimed place is null until its sender has written it, and again when the receiver has taken it. */
    private final AtomicReferenceArray<@Nullable T> elements;

    private final AtomicLong tail = new AtomicLong();

    /** The number of elements that were ever received; written by the loop's thread. */
    private final AtomicLong head = new AtomicLong();

    /** Of a receiver that waits; whoever takes it out wakes it. */
    private final AtomicReference<@Nullable Waker> waiting = new AtomicReference<>();

    private @Nullable Receive receiver;

    /**
     * Creates one.
     *
     * @param capacity how many elements it holds, at least 1
     */
    public Mailbox(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity is " + capacity + ", but must be at least 1");
        }
        this.capacity = capacity;
        elements = new AtomicReferenceArray<>(capacity);
    }

    /**
     * Sends the element if there is room; from any thread.
     *
     * @return false if there is none; nothing was sent
     * @throws ChannelClosedException if it was closed
     */
    public boolean trySend(T element) {
        Objects.requireNonNull(element, "element");
        long seen = tail.get();
        while (true) {
            if (seen < 0) {
                throw new ChannelClosedException("the mailbox was closed; what is sent now would not be received");
            }
            if (seen - head.get() >= capacity) {
                return false;
            }
            long witness = tail.compareAndExchange(seen, seen + 1);
            if (witness == seen) {
                break;
            }
            seen = witness;
        }
        elements.set((int) (seen % capacity), element);
        wakeReceiver();
        return true;
    }

    private void wakeReceiver() {
        if (waiting.get() != null) {
            Waker waker = waiting.getAndSet(null);
            if (waker != null) {
                // The element was sent, whatever the waker does.
                Waiter.wake(waker);
            }
        }
    }

    /**
     * Receives the next element, waiting for it; null at the end. One at a time may be under way, another one fails with
     * {@link IllegalStateException}.
     */
    public Async<@Nullable T> receive() {
        return new Receive();
    }

    /** Receives the next element if there is one; else, and at the end, null. On the loop's thread. */
    public @Nullable T tryReceive() {
        ensureOwner();
        long position = head.get();
        int index = (int) (position % capacity);
        T element = elements.get(index);
        if (element != null) {
            elements.setPlain(index, null);
            // Makes the place free: after it was emptied.
            head.set(position + 1);
        }
        return element;
    }

    private boolean isAtEnd() {
        return tail.get() == (head.get() | CLOSED);
    }

    /** Ends sending; from any thread. The receiver gets what was sent, then the end. Closing again does nothing. */
    @Override
    public void close() {
        if (tail.getAndUpdate(seen -> seen | CLOSED) >= 0) {
            wakeReceiver();
        }
    }

    /** Whether {@link #close} was called. */
    public boolean isClosed() {
        return tail.get() < 0;
    }

    /** About how many elements were sent and not received. */
    public int size() {
        long received = head.get();
        return (int) Math.max(0, Math.min(capacity, (tail.get() & ~CLOSED) - received));
    }

    private final class Receive extends AbstractAsync<@Nullable T> {
        private @Nullable T received;

        @Override
        protected boolean advance(Waker waker) {
            ensureOwner();
            if (receiver != null && receiver != this) {
                throw new IllegalStateException("another receive is under way on this mailbox; wait for it or cancel it"
                        + " first: there is one at a time");
            }
            Budget budget = Budget.current();
            if (!budget.take(waker)) {
                return PENDING;
            }
            if (tryTake()) {
                return READY;
            }
            receiver = this;
            waiting.set(waker);
            // Whoever sent or closed before it could see the waker is seen here.
            if (tryTake()) {
                return READY;
            }
            budget.giveBack();
            return PENDING;
        }

        private boolean tryTake() {
            T element = tryReceive();
            if (element == null && !isAtEnd()) {
                return false;
            }
            received = element;
            release();
            return true;
        }

        @Override
        protected @Nullable T value() {
            return received;
        }

        @Override
        protected void release() {
            if (receiver == this) {
                receiver = null;
                waiting.set(null);
            }
        }
    }
}
