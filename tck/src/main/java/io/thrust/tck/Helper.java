package io.thrust.tck;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A second thread of a rule. What it throws fails the rule. */
final class Helper {

    /** What a helper runs. */
    @FunctionalInterface
    interface Body {
        void run() throws Exception;
    }

    private final Thread thread;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final long patienceNanos;

    Helper(String name, long patienceNanos, Body body) {
        this.patienceNanos = patienceNanos;
        thread = new Thread(
                () -> {
                    try {
                        body.run();
                    } catch (Throwable e) {
                        failure.set(e);
                    }
                },
                name);
        thread.setDaemon(true);
    }

    Helper start() {
        thread.start();
        return this;
    }

    Thread thread() {
        return thread;
    }

    boolean isDone() {
        return !thread.isAlive();
    }

    /** Waits for the end and throws what the body threw. */
    void join() {
        boolean interrupted = false;
        long deadline = System.nanoTime() + patienceNanos;
        while (thread.isAlive()) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                AssertionError hanging = new AssertionError("thread \"" + thread.getName() + "\" did not end");
                hanging.setStackTrace(thread.getStackTrace());
                throw hanging;
            }
            try {
                thread.join(left / 1_000_000 + 1);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        rethrow();
    }

    /** Throws what the body has thrown so far. */
    void rethrow() {
        Throwable thrown = failure.getAndSet(null);
        if (thrown != null) {
            throw new AssertionError("thread \"" + thread.getName() + "\" failed: " + thrown, thrown);
        }
    }
}
