package io.thrust.task;

/** Measures the time from waking a task to its next poll, in nanoseconds, on the executor that polls it. */
public final class WakeLatency extends AbstractAsync<Long> {
    private boolean woken;
    private long start;
    private long nanos;

    /** Creates a measurement, which starts at the first poll. */
    public WakeLatency() {}

    @Override
    protected boolean advance(Waker waker) {
        if (!woken) {
            woken = true;
            start = System.nanoTime();
            waker.wake();
            return PENDING;
        }
        nanos = System.nanoTime() - start;
        return READY;
    }

    @Override
    protected Long value() {
        return nanos;
    }
}
