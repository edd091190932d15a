package io.thrust.task;

import org.jspecify.annotations.Nullable;

/** First in, first out, linked through the cells. */
final class ReadyQueue {
    private @Nullable TaskCell<?> first;
    private @Nullable TaskCell<?> last;

    boolean isEmpty() {
        return first == null;
    }

    void add(TaskCell<?> cell) {
        TaskCell<?> last = this.last;
        if (last == null) {
            first = cell;
        } else {
            last.nextReady = cell;
        }
        this.last = cell;
    }

    @Nullable TaskCell<?> take() {
        TaskCell<?> cell = first;
        if (cell != null) {
            TaskCell<?> next = cell.nextReady;
            cell.nextReady = null;
            first = next;
            if (next == null) {
                last = null;
            }
        }
        return cell;
    }
}
