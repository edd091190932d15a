package io.thrust.task;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** Keeps what threads other than the loop's write on a cache line of its own. */
abstract class RemoteQueuePadding {
    @SuppressWarnings("unused")
    private long p0, p1, p2, p3, p4, p5, p6, p7;
}

/** The head in the middle of the padding: fields of a superclass are laid out before those of a subclass. */
abstract class RemoteQueueHead extends RemoteQueuePadding {
    volatile @Nullable TaskCell<?> head;
}

/**
 * Tasks woken or submitted by threads other than the loop's, linked through the tasks themselves. Any thread adds; the
 * loop's takes all at once.
 */
final class RemoteQueue extends RemoteQueueHead {
    private static final VarHandle HEAD;
    /** Stands at the head once the queue is closed. */
    private static final TaskCell<?> CLOSED = TaskCell.sentinel();

    static {
        try {
            HEAD = MethodHandles.lookup().findVarHandle(RemoteQueueHead.class, "head", TaskCell.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused")
    private long q0, q1, q2, q3, q4, q5, q6, q7;

    /** Adds a cell that is in no remote queue; false if the queue is closed. */
    boolean add(TaskCell<?> cell) {
        TaskCell<?> seen = head;
        while (true) {
            if (seen == CLOSED) {
                return false;
            }
            cell.nextRemote = seen;
            TaskCell<?> witness = (TaskCell<?>) HEAD.compareAndExchange(this, seen, cell);
            if (witness == seen) {
                return true;
            }
            seen = witness;
        }
    }

    boolean isEmpty() {
        return head == null;
    }

    /** Takes all, linked by {@link TaskCell#nextRemote} in the order in which they were added. */
    @Nullable TaskCell<?> takeAll() {
        TaskCell<?> seen = head;
        if (seen == null || seen == CLOSED) {
            return null;
        }
        return reversed((TaskCell<?>) HEAD.getAndSet(this, (TaskCell<?>) null));
    }

    /** Refuses all further ones, and takes those that are there. */
    @Nullable TaskCell<?> close() {
        TaskCell<?> last = (TaskCell<?>) HEAD.getAndSet(this, CLOSED);
        return last == CLOSED ? null : reversed(last);
    }

    private static @Nullable TaskCell<?> reversed(@Nullable TaskCell<?> last) {
        TaskCell<?> first = null;
        while (last != null) {
            TaskCell<?> before = last.nextRemote;
            last.nextRemote = first;
            first = last;
            last = before;
        }
        return first;
    }
}
