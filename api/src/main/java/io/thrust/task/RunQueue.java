package io.thrust.task;

import org.jspecify.annotations.Nullable;

/** The tasks that are ready, by priority; see {@link Priority} for the order. */
final class RunQueue {
    private final ReadyQueue normal = new ReadyQueue();
    private final ReadyQueue high = new ReadyQueue();
    private final ReadyQueue low = new ReadyQueue();

    /** How many are in {@link #high} and {@link #low}: as long as there are none the order is that of one queue. */
    private int special;

    /** Polls since the last one of a low task, while one was ready; polls of high tasks since one of a normal. */
    private int sinceLow;

    private int sinceNormal;

    boolean isEmpty() {
        return normal.isEmpty() && special == 0;
    }

    void add(TaskCell<?> cell) {
        int priority = cell.flags & (TaskCell.HIGH | TaskCell.LOW);
        if (priority == 0) {
            normal.add(cell);
        } else {
            special++;
            (priority == TaskCell.HIGH ? high : low).add(cell);
        }
    }

    @Nullable TaskCell<?> take() {
        return special == 0 ? normal.take() : takeByPriority();
    }

    private @Nullable TaskCell<?> takeByPriority() {
        boolean lowWaits = !low.isEmpty();
        if (lowWaits && (sinceLow >= Priority.POLLS_PER_LOW - 1 || (high.isEmpty() && normal.isEmpty()))) {
            sinceLow = 0;
            special--;
            return low.take();
        }
        sinceLow = lowWaits ? sinceLow + 1 : 0;
        if (!high.isEmpty() && (normal.isEmpty() || sinceNormal < Priority.POLLS_PER_NORMAL - 1)) {
            sinceNormal = normal.isEmpty() ? 0 : sinceNormal + 1;
            special--;
            return high.take();
        }
        sinceNormal = 0;
        return normal.take();
    }
}
