package io.thrust.task;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * To which thread an executor belongs, whether that thread is inside, and whether the executor is closing. Of the
 * owner's coming in and another thread's closing one is first: either the owner is refused, or it is inside, and then it
 * releases everything on its way out.
 */
final class Ownership {
    /** The owner is inside. */
    private static final int ENTERED = 1;

    private static final int CLOSING = 2;

    private static final VarHandle STATE;
    private static final VarHandle OWNER;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            STATE = lookup.findVarHandle(Ownership.class, "state", int.class);
            OWNER = lookup.findVarHandle(Ownership.class, "owner", Thread.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** What {@link #close} leaves to its caller. */
    enum Close {
        /** It was closed before. */
        NOTHING,
        /** The owner is inside: it has to be woken, and sees to the rest. */
        WAKE,
        /** Nobody is inside, nor can come in: the caller has to {@link #seize} and to release everything. */
        RELEASE
    }

    /** The thread that is inside, if any. Others may read it, and see some other thread than themselves. */
    private @Nullable Thread insider;

    private volatile int state;
    private volatile @Nullable Thread owner;

    boolean isOwner(Thread thread) {
        return owner == thread;
    }

    boolean isInside() {
        return insider == Thread.currentThread();
    }

    boolean isClosing() {
        return (state & CLOSING) != 0;
    }

    /** Comes in; true if the caller was not inside before, and has to {@link #leave}. */
    boolean enter() {
        if (isInside()) {
            return false;
        }
        if (isClosing()) {
            throw rejected();
        }
        ensureOwner();
        if (((int) STATE.getAndBitwiseOr(this, ENTERED) & CLOSING) != 0) {
            STATE.getAndBitwiseAnd(this, ~ENTERED);
            throw rejected();
        }
        insider = Thread.currentThread();
        return true;
    }

    /** Goes out; true if the executor was closed meanwhile: the caller has to {@link #seize} and to release everything. */
    boolean leave() {
        insider = null;
        return ((int) STATE.getAndBitwiseAnd(this, ~ENTERED) & CLOSING) != 0;
    }

    Close close() {
        int before = (int) STATE.getAndBitwiseOr(this, CLOSING);
        if ((before & CLOSING) != 0) {
            return Close.NOTHING;
        }
        return (before & ENTERED) != 0 ? Close.WAKE : Close.RELEASE;
    }

    /** Makes the thread that releases everything the owner meanwhile; returns whose it was. */
    @Nullable Thread seize() {
        Thread before = owner;
        Thread current = Thread.currentThread();
        owner = current;
        insider = current;
        return before;
    }

    void giveBack(@Nullable Thread before) {
        insider = null;
        owner = before;
    }

    void ensureOwner() {
        Thread current = Thread.currentThread();
        Thread present = owner;
        if (present != current) {
            if (present == null) {
                present = (Thread) OWNER.compareAndExchange(this, (Thread) null, current);
            }
            if (present != null) {
                if (isClosing()) {
                    // Owned by the thread that closes it, for as long as that takes.
                    throw rejected();
                }
                throw new IllegalStateException("the loop belongs to thread \"" + present.getName()
                        + "\" and was used by thread \"" + current.getName() + "\"; from another thread use submit");
            }
        }
    }

    static RejectedExecutionException rejected() {
        return new RejectedExecutionException("the loop is closed");
    }
}
