package io.thrust.task;

import org.jspecify.annotations.Nullable;

/** All tasks of an executor that have not ended, the youngest first, linked through the cells. */
final class TaskList {
    private @Nullable TaskCell<?> head;
    private int count;
    private int countedCount;

    @Nullable TaskCell<?> first() {
        return head;
    }

    int count() {
        return count;
    }

    /** The number of those that {@code run} waits for. */
    int countedCount() {
        return countedCount;
    }

    static boolean contains(TaskCell<?> cell) {
        return (cell.flags & TaskCell.LISTED) != 0;
    }

    void add(TaskCell<?> cell) {
        cell.flags |= TaskCell.LISTED;
        TaskCell<?> head = this.head;
        cell.after = head;
        if (head != null) {
            head.before = cell;
        }
        this.head = cell;
        count++;
        if ((cell.flags & TaskCell.COUNTED) != 0) {
            countedCount++;
        }
    }

    /** Does nothing to a cell that is not in the list. */
    void remove(TaskCell<?> cell) {
        if (!contains(cell)) {
            return;
        }
        cell.flags &= ~TaskCell.LISTED;
        TaskCell<?> before = cell.before;
        TaskCell<?> after = cell.after;
        if (before == null) {
            head = after;
        } else {
            before.after = after;
        }
        if (after != null) {
            after.before = before;
        }
        cell.before = null;
        cell.after = null;
        count--;
        if ((cell.flags & TaskCell.COUNTED) != 0) {
            countedCount--;
        }
    }
}
