package io.thrust.sync;

import org.jspecify.annotations.Nullable;

/** First in, first out, linked through the waiters; leaving from the middle costs no search. */
final class WaitQueue {
    private @Nullable Waiter<?> first;
    private @Nullable Waiter<?> last;

    boolean isEmpty() {
        return first == null;
    }

    @Nullable Waiter<?> first() {
        return first;
    }

    void add(Waiter<?> waiter) {
        Waiter<?> last = this.last;
        waiter.previous = last;
        if (last == null) {
            first = waiter;
        } else {
            last.next = waiter;
        }
        this.last = waiter;
    }

    void remove(Waiter<?> waiter) {
        Waiter<?> previous = waiter.previous;
        Waiter<?> next = waiter.next;
        if (previous == null) {
            first = next;
        } else {
            previous.next = next;
        }
        if (next == null) {
            last = previous;
        } else {
            next.previous = previous;
        }
        waiter.previous = null;
        waiter.next = null;
    }

    /** Takes out and grants the first; false if nobody waits. */
    boolean grantFirst() {
        Waiter<?> waiter = first;
        if (waiter == null) {
            return false;
        }
        remove(waiter);
        waiter.grant();
        return true;
    }

    void grantAll() {
        // Only those that wait now: who comes while they are woken waits for the next time.
        Waiter<?> waiter = first;
        first = null;
        last = null;
        while (waiter != null) {
            Waiter<?> next = waiter.next;
            waiter.previous = null;
            waiter.next = null;
            waiter.grant();
            waiter = next;
        }
    }
}
