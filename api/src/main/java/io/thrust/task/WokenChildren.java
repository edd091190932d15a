package io.thrust.task;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Which children of a computation were woken since they were polled last, so that a wake-up of one causes a poll of one.
 * The wakers may be called from any thread; all else belongs to the computation's.
 */
final class WokenChildren {
    private static final VarHandle TOP;

    static {
        try {
            TOP = MethodHandles.lookup().findVarHandle(WokenChildren.class, "top", Child.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Whose waker this is, or null: nobody waits any more. */
    private volatile @Nullable Waker parent;

    /** A stack. */
    private volatile @Nullable Child top;

    /** The waker of one child. */
    static final class Child implements Waker {
        private static final VarHandle LISTED;

        static {
            try {
                LISTED = MethodHandles.lookup().findVarHandle(Child.class, "listed", boolean.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private final WokenChildren woken;
        final int index;
        private volatile boolean listed;
        private @Nullable Child next;

        Child(WokenChildren woken, int index) {
            this.woken = woken;
            this.index = index;
        }

        @Override
        public void wake() {
            if (!(boolean) LISTED.getAndSet(this, true)) {
                woken.add(this);
            }
        }

        /** Takes this one off the list that {@link #takeAll} returned; returns the next one. */
        @Nullable Child leave() {
            Child next = this.next;
            this.next = null;
            // A read-modify-write: what the waking thread wrote before is seen by the poll that follows.
            LISTED.getAndSet(this, false);
            return next;
        }
    }

    private void add(Child child) {
        Waker parent = this.parent;
        if (parent == null) {
            return;
        }
        Child top;
        do {
            top = this.top;
            child.next = top;
        } while (!TOP.compareAndSet(this, top, child));
        // Read again: either this is the waker of the latest poll, or that poll finds the child.
        parent = this.parent;
        if (parent != null) {
            parent.wake();
        }
    }

    /** At each poll, before {@link #takeAll}. */
    void expect(Waker parent) {
        this.parent = parent;
    }

    /** Those that were woken, in the order in which they were. */
    @Nullable Child takeAll() {
        Child first = null;
        Child child = (Child) TOP.getAndSet(this, (Child) null);
        while (child != null) {
            Child before = child.next;
            child.next = first;
            first = child;
            child = before;
        }
        return first;
    }

    /** Lets go of everything: whoever keeps a waker of a child keeps nothing else. */
    void end() {
        parent = null;
        top = null;
    }
}
