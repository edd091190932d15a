package io.thrust.reactor;

import io.thrust.poll.Poller;
import io.thrust.task.Waker;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Pending timers in the order of their deadlines, equal ones in the order in which they were added. Adding, cancelling
 * and firing cost the logarithm of their number; a cancelled timer is gone at once. Belongs to the reactor's thread.
 *
 * <p>Deadlines are times of the reactor's clock in nanoseconds, compared by subtraction, so the clock may overflow; they
 * lie less than {@link #MOST_NANOS} ahead.
 */
public final class TimerQueue {
    /** The longest time ahead, about 146 years; longer ones count as this. */
    public static final long MOST_NANOS = Long.MAX_VALUE / 2;

    private static final int FIRST_CAPACITY = 16;

    /** A binary heap. */
    private @Nullable Timer[] heap = new @Nullable Timer[FIRST_CAPACITY];

    private int size;
    private long nextSequence;

    TimerQueue() {}

    public boolean isEmpty() {
        return size == 0;
    }

    /** The number of pending timers. */
    public int size() {
        return size;
    }

    /** The number of places for pending timers. */
    int capacity() {
        return heap.length;
    }

    /** The deadline that is this far from now: in the past counts as now, too far as {@link #MOST_NANOS}. */
    public static long deadline(long now, long delayNanos) {
        return now + Math.max(0, Math.min(delayNanos, MOST_NANOS));
    }

    /** Adds a timer: the waker is woken by the first turn of the reactor that ends at or after the deadline. */
    public Timer add(long deadline, Waker waker) {
        Timer timer = new Timer();
        timer.deadline = deadline;
        timer.sequence = nextSequence++;
        timer.waker = Objects.requireNonNull(waker, "waker");
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, size * 2);
        }
        siftUp(size++, timer);
        return timer;
    }

    /** Removes a timer; false if it was not pending. */
    public boolean cancel(Timer timer) {
        if (!timer.isPending()) {
            return false;
        }
        remove(indexOf(timer));
        return true;
    }

    /** Moves a timer, as if it were added anew; false if it was not pending, so that nothing was done. */
    public boolean move(Timer timer, long deadline) {
        if (!timer.isPending()) {
            return false;
        }
        int index = indexOf(timer);
        timer.deadline = deadline;
        timer.sequence = nextSequence++;
        place(index, timer);
        return true;
    }

    private int indexOf(Timer timer) {
        int index = timer.index;
        if (index >= size || heap[index] != timer) {
            throw new IllegalArgumentException("the timer belongs to another reactor");
        }
        return index;
    }

    /** Moves what is out of order at this place to where it belongs. */
    private void place(int index, Timer timer) {
        siftDown(index, timer);
        if (heap[index] == timer) {
            siftUp(index, timer);
        }
    }

    /** The shorter of a time to wait and the time until the first deadline. */
    long limit(long maxNanos, long now) {
        Timer first = heap[0];
        if (first == null) {
            return maxNanos;
        }
        long left = Math.max(0, first.deadline - now);
        return maxNanos == Poller.FOREVER ? left : Math.min(left, maxNanos);
    }

    /** Wakes those that are due, which are gone then. */
    void fire(long now) {
        Timer first;
        while ((first = heap[0]) != null && first.deadline - now <= 0) {
            Waker waker = first.waker;
            remove(0);
            if (waker != null) {
                Reactor.wake(waker);
            }
        }
    }

    private void remove(int index) {
        @Nullable Timer[] heap = this.heap;
        Timer removed = Objects.requireNonNull(heap[index]);
        Timer last = Objects.requireNonNull(heap[--size]);
        heap[size] = null;
        removed.index = Timer.NOT_QUEUED;
        removed.waker = null;
        if (removed != last) {
            place(index, last);
        }
        if (heap.length > FIRST_CAPACITY && size < heap.length / 4) {
            this.heap = Arrays.copyOf(heap, heap.length / 2);
        }
    }

    private void siftUp(int index, Timer timer) {
        @Nullable Timer[] heap = this.heap;
        while (index > 0) {
            int parent = (index - 1) >>> 1;
            Timer above = Objects.requireNonNull(heap[parent]);
            if (!isBefore(timer, above)) {
                break;
            }
            heap[index] = above;
            above.index = index;
            index = parent;
        }
        heap[index] = timer;
        timer.index = index;
    }

    private void siftDown(int index, Timer timer) {
        @Nullable Timer[] heap = this.heap;
        int half = size >>> 1;
        while (index < half) {
            int child = 2 * index + 1;
            Timer below = Objects.requireNonNull(heap[child]);
            if (child + 1 < size) {
                Timer right = Objects.requireNonNull(heap[child + 1]);
                if (isBefore(right, below)) {
                    below = right;
                    child++;
                }
            }
            if (!isBefore(below, timer)) {
                break;
            }
            heap[index] = below;
            below.index = index;
            index = child;
        }
        heap[index] = timer;
        timer.index = index;
    }

    private static boolean isBefore(Timer a, Timer b) {
        long difference = a.deadline - b.deadline;
        return difference < 0 || difference == 0 && a.sequence < b.sequence;
    }
}
