package io.thrust.sync;

import io.thrust.task.Async;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One value, or one failure, from one task of a loop to another. Belongs to one thread.
 *
 * <p>It is received once; a receive that is cancelled leaves it to the next. After {@link #close}, by whoever sends or
 * whoever receives, nothing can be sent, and a receive that finds nothing fails with {@link ChannelClosedException}.
 *
 * @param <T> the type of the value
 */
public final class OneShot<T> extends Confined implements AutoCloseable {
    private final WaitQueue receivers = new WaitQueue();
    private @Nullable T value;
    private @Nullable Exception failure;
    private boolean sent;
    private boolean closed;
    private boolean received;

    /** Creates one that is empty. */
    public OneShot() {}

    /**
     * Sends the value.
     *
     * @return false if it was closed: the value is still the caller's
     * @throws IllegalStateException if a value or a failure was sent before
     */
    public boolean send(T value) {
        Objects.requireNonNull(value, "value");
        if (!begin()) {
            return false;
        }
        this.value = value;
        receivers.grantFirst();
        return true;
    }

    /** Sends a failure, which {@link #receive} throws; otherwise as {@link #send}. */
    public boolean fail(Exception failure) {
        Objects.requireNonNull(failure, "failure");
        if (!begin()) {
            return false;
        }
        this.failure = failure;
        receivers.grantFirst();
        return true;
    }

    private boolean begin() {
        ensureOwner();
        if (sent) {
            throw new IllegalStateException("a value or a failure was sent before: it is sent once");
        }
        if (closed) {
            return false;
        }
        sent = true;
        return true;
    }

    /** Waits for the value; throws the failure if that was sent. One after the other: a second value never comes. */
    public Async<T> receive() {
        return new Receive();
    }

    /** Says that nothing will be sent, or that nobody will receive. What was sent before can still be received. */
    @Override
    public void close() {
        // Not only by the owner: a loop that another thread closes cancels its tasks there.
        if (!closed) {
            closed = true;
            if (!sent) {
                receivers.grantAll();
            }
        }
    }

    /** Whether {@link #close} was called. */
    public boolean isClosed() {
        return closed;
    }

    private final class Receive extends Waiter<T> {
        private @Nullable T taken;

        @Override
        boolean begin() throws Exception {
            ensureOwner();
            boolean isOver = received || (closed && !sent);
            return (isOver || (sent && receivers.isEmpty())) && takeGranted();
        }

        @Override
        boolean takeGranted() throws Exception {
            if (!sent) {
                throw new ChannelClosedException("closed before anything was sent");
            }
            if (received) {
                throw new IllegalStateException("the value was received before: it is received once");
            }
            received = true;
            receivers.grantAll();
            if (failure != null) {
                throw failure;
            }
            taken = value;
            value = null;
            return true;
        }

        @Override
        WaitQueue queue() {
            return receivers;
        }

        @Override
        void onGrantRefused() {
            if (sent && !received) {
                receivers.grantFirst();
            }
        }

        @Override
        protected T value() {
            return Objects.requireNonNull(taken);
        }
    }
}
