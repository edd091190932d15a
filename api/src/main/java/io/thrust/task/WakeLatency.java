package io.thrust.task;

/** Measures the time from waking a task to its next poll, in nanoseconds, on the executor that polls it. */
public final class WakeLatency implements Async<Long> {
    private boolean woken;
    private long start;
    private long nanos = -1;

    /** Creates a measurement, which starts at the first poll. */
    public WakeLatency() {}

    @Override
    public boolean poll(Waker waker) {
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
    public Long result() {
        if (nanos < 0) {
            throw new IllegalStateException("not ready");
        }
        return nanos;
    }
}
