package io.thrust.task;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A parker that serves nothing but what a test gives it to do. */
final class FakeParker implements Parker {
    private static final long PATIENCE_SECONDS = 20;

    /** What a park does before it waits. */
    @FunctionalInterface
    interface OnPark {
        void run() throws Exception;
    }

    private final Semaphore permits = new Semaphore(0);
    OnPark onPark = () -> {};
    Runnable onClosing = () -> {};
    Runnable onClosed = () -> {};
    /** How often it parked at all, and how often it was allowed to wait. */
    int parks;

    int waits;
    volatile int unparks;

    @Override
    public void park(long maxNanos) {
        parks++;
        if (maxNanos != 0) {
            waits++;
        }
        try {
            onPark.run();
            boolean woken = permits.tryAcquire(
                    maxNanos == -1 ? TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS) : maxNanos, TimeUnit.NANOSECONDS);
            if (maxNanos == -1 && !woken) {
                throw new AssertionError("nobody unparked a loop that has tasks left");
            }
            permits.drainPermits();
        } catch (Exception e) {
            FakeParker.<RuntimeException>sneak(e);
        }
    }

    private static <E extends Exception> void sneak(Exception e) throws E {
        @SuppressWarnings("unchecked")
        E thrown = (E) e;
        throw thrown;
    }

    @Override
    public void unpark() {
        synchronized (this) {
            unparks++;
        }
        permits.release();
    }

    @Override
    public void closing() {
        onClosing.run();
    }

    @Override
    public void closed() {
        onClosed.run();
    }
}
