package io.thrust.benchmarks.claims;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Threads, of whatever kind the factory makes. */
record ThreadWorker(ThreadFactory factory) implements Worker {
    @Override
    public void spawnAndJoin(int times, Histogram nanos) throws InterruptedException {
        for (int i = 0; i < times; i++) {
            long start = System.nanoTime();
            Thread thread = factory.newThread(() -> {});
            thread.start();
            thread.join();
            nanos.recordValue(System.nanoTime() - start);
        }
    }

    @Override
    public long create(int count) throws InterruptedException {
        List<Thread> threads = new ArrayList<>(count);
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            Thread thread = factory.newThread(() -> {});
            thread.start();
            threads.add(thread);
        }
        long taken = System.nanoTime() - start;
        for (Thread thread : threads) {
            thread.join();
        }
        return taken;
    }

    @Override
    public void park(int count) throws InterruptedException {
        List<Thread> threads = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            Thread thread = factory.newThread(ThreadWorker::parkForEver);
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            while (thread.getState() != Thread.State.WAITING) {
                Thread.sleep(1);
            }
        }
        // What virtual threads are known by to nobody else could be collected.
        PARKED.addAll(threads);
    }

    private static final List<Thread> PARKED = new ArrayList<>();

    private static void parkForEver() {
        while (true) {
            LockSupport.park();
        }
    }

    @Override
    public void handOver(int rounds, Histogram nanos) throws InterruptedException {
        Turns turns = new Turns();
        Thread second = factory.newThread(() -> turns.play(1, rounds, null));
        Thread first = factory.newThread(() -> turns.play(0, rounds, nanos));
        turns.players[0] = first;
        turns.players[1] = second;
        second.start();
        first.start();
        first.join();
        second.join();
    }

    private static final class Turns {
        final Thread[] players = new Thread[2];
        private volatile int turn;

        void play(int me, int rounds, @Nullable Histogram nanos) {
            long start = System.nanoTime();
            for (int i = 0; i < rounds; i++) {
                while (turn != me) {
                    LockSupport.park(this);
                }
                if (nanos != null && i > 0) {
                    long now = System.nanoTime();
                    nanos.recordValue(now - start);
                    start = now;
                } else {
                    start = System.nanoTime();
                }
                turn = 1 - me;
                LockSupport.unpark(players[1 - me]);
            }
        }
    }
}
