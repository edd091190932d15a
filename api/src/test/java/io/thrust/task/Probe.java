package io.thrust.task;

import java.util.ArrayList;
import java.util.List;

/** A computation that does what a test says at each poll, and counts. */
class Probe<T> implements Async<T> {
    /** One poll: true is ready. */
    @FunctionalInterface
    interface OnPoll {
        boolean poll(Waker waker) throws Exception;
    }

    private final OnPoll onPoll;
    final List<Waker> wakers = new ArrayList<>();
    T result;
    int polls;
    int cancels;
    Runnable onCancel = () -> {};

    Probe(OnPoll onPoll) {
        this.onPoll = onPoll;
    }

    /** Pending for ever. */
    static <T> Probe<T> pending() {
        return new Probe<>(waker -> PENDING);
    }

    /** Ready at the first poll. */
    static <T> Probe<T> ready(T result) {
        Probe<T> probe = new Probe<>(waker -> READY);
        probe.result = result;
        return probe;
    }

    static <T> Probe<T> failing(Exception e) {
        return new Probe<>(waker -> {
            throw e;
        });
    }

    @Override
    public boolean poll(Waker waker) throws Exception {
        polls++;
        wakers.add(waker);
        return onPoll.poll(waker);
    }

    @Override
    public T result() {
        return result;
    }

    @Override
    public void cancel() {
        cancels++;
        onCancel.run();
    }

    Waker waker() {
        return wakers.get(wakers.size() - 1);
    }
}
