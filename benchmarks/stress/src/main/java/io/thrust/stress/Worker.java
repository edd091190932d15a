package io.thrust.stress;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** An executor for one piece of work, which the thread of an actor does. */
final class Worker implements Executor {
    private volatile @Nullable Runnable work;

    @Override
    public void execute(Runnable work) {
        this.work = work;
        // The work may have ended before this returns.
        Pause.random();
    }

    /** Waits for the work and does it; returns whether the thread is interrupted afterwards. */
    boolean work() {
        Runnable work;
        while ((work = this.work) == null) {
            Thread.onSpinWait();
        }
        work.run();
        return Thread.interrupted();
    }
}
