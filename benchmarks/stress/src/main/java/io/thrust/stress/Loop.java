package io.thrust.stress;

import io.thrust.task.LocalExecutor;
import java.io.UncheckedIOException;
import java.util.concurrent.RejectedExecutionException;

/** An executor, and how its run ended. */
final class Loop {
    static final int ENDED = 1;
    static final int REJECTED = 2;
    static final int LOST_WAKE_UP = -1;

    final LocalExecutor executor = new LocalExecutor(new SpinParker());

    int run() {
        try {
            executor.run();
            return ENDED;
        } catch (RejectedExecutionException e) {
            return REJECTED;
        } catch (UncheckedIOException e) {
            return LOST_WAKE_UP;
        }
    }
}
