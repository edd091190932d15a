package io.thrust.stress;

import io.thrust.task.Async;
import io.thrust.task.Waker;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Ready once it sees as many openings as it needs. The openings are plain fields: after a wake-up it is the wake-up alone
 * that makes them visible.
 */
final class Gate implements Async<@Nullable Void> {
    private final int needed;
    private boolean first;
    private boolean second;
    private @Nullable Waker waker;

    /** How often it was polled; the executor's thread writes it. */
    int polls;

    Gate(int needed) {
        this.needed = needed;
    }

    @Override
    public boolean poll(Waker waker) {
        polls++;
        this.waker = waker;
        // Whoever opens before it can see the waker is seen here.
        VarHandle.fullFence();
        return (first ? 1 : 0) + (second ? 1 : 0) >= needed;
    }

    void openFirst() {
        first = true;
        wake();
    }

    void openSecond() {
        second = true;
        wake();
    }

    private void wake() {
        VarHandle.fullFence();
        Waker waker = this.waker;
        if (waker != null) {
            waker.wake();
        }
    }

    @Override
    public @Nullable Void result() {
        return null;
    }
}
