package io.thrust.benchmarks.claims;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** The shape of the queue through which other threads wake tasks, once apart from what the loop writes, once beside it. */
interface WakeQueue {
    /** What a loop alone writes, turn by turn. */
    class LoopFields {
        @SuppressWarnings("unused")
        long polls;
    }

    /** Keeps what follows off the cache lines of the loop's fields. */
    class LoopFieldsApart extends LoopFields {
        @SuppressWarnings("unused")
        private long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;
    }

    /** What stands in the queue, once at a time. */
    final class Node {
        private static final VarHandle QUEUED = handle(Node.class, "queued", int.class);

        @Nullable Node next;

        @SuppressWarnings("unused")
        private volatile int queued;

        /** Whether the caller is the one to add it. */
        boolean enter() {
            return (int) QUEUED.getAndBitwiseOr(this, 1) == 0;
        }

        void leave() {
            QUEUED.getAndBitwiseAnd(this, ~1);
        }
    }

    void add(Node node);

    @Nullable Node takeAll();

    private static VarHandle handle(Class<?> owner, String field, Class<?> type) {
        try {
            return MethodHandles.privateLookupIn(owner, MethodHandles.lookup()).findVarHandle(owner, field, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    VarHandle POLLS = handle(LoopFields.class, "polls", long.class);

    /** Takes what is there, as a loop does once in a turn, after polls that it counts. */
    static int turn(LoopFields loop, WakeQueue queue, int polls) {
        for (int i = 0; i < polls; i++) {
            POLLS.setOpaque(loop, (long) POLLS.getOpaque(loop) + 1);
        }
        int woken = 0;
        Node node = queue.takeAll();
        while (node != null) {
            Node next = node.next;
            node.next = null;
            node.leave();
            woken++;
            node = next;
        }
        return woken;
    }

    /** The head stands beside the loop's fields. */
    final class Beside extends LoopFields implements WakeQueue {
        private static final VarHandle HEAD = handle(Beside.class, "head", Node.class);

        private volatile @Nullable Node head;

        @Override
        public void add(Node node) {
            Node seen;
            do {
                seen = head;
                node.next = seen;
            } while (!HEAD.compareAndSet(this, seen, node));
        }

        @Override
        public @Nullable Node takeAll() {
            return head == null ? null : (Node) HEAD.getAndSet(this, (Node) null);
        }
    }

    /** The head stands on cache lines of its own. */
    final class Apart extends LoopFieldsApart implements WakeQueue {
        private static final VarHandle HEAD = handle(Apart.class, "head", Node.class);

        private volatile @Nullable Node head;

        @Override
        public void add(Node node) {
            Node seen;
            do {
                seen = head;
                node.next = seen;
            } while (!HEAD.compareAndSet(this, seen, node));
        }

        @Override
        public @Nullable Node takeAll() {
            return head == null ? null : (Node) HEAD.getAndSet(this, (Node) null);
        }
    }
}
