package io.thrust.benchmarks.claims;

import io.thrust.EventLoop;
import io.thrust.task.Async;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Tasks on loops that run on threads of their own, submitted by the calling one. */
final class RemoteTaskWorker implements Worker {
    private final EventLoop near = start("near");
    private final EventLoop far = start("far");

    private static EventLoop start(String name) {
        EventLoop loop = TaskWorker.openLoop();
        CompletableFuture<@Nullable Void> runs = loop.submit(new Parked()); // Keeps it running.
        Thread thread = new Thread(loop::run, name);
        thread.setDaemon(true);
        thread.start();
        if (runs.isDone()) {
            throw new IllegalStateException("the loop \"" + name + "\" has ended");
        }
        return loop;
    }

    @Override
    public void spawnAndJoin(int times, Histogram nanos) {
        for (int i = 0; i < times; i++) {
            long start = System.nanoTime();
            far.submit(Async.ready(Boolean.TRUE)).join();
            nanos.recordValue(System.nanoTime() - start);
        }
    }

    @Override
    public long create(int count) {
        List<CompletableFuture<?>> tasks = new ArrayList<>(count);
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            tasks.add(far.submit(Async.ready(Boolean.TRUE)));
        }
        long taken = System.nanoTime() - start;
        tasks.forEach(CompletableFuture::join);
        return taken;
    }

    @Override
    public void park(int count) {
        throw new UnsupportedOperationException("tasks wait alike, whoever submitted them");
    }

    @Override
    public void handOver(int rounds, Histogram nanos) {
        AtomicInteger turn = new AtomicInteger();
        Player first = new Player(turn, 0, rounds, nanos);
        Player second = new Player(turn, 1, rounds, null);
        first.other = second;
        second.other = first;
        CompletableFuture<@Nullable Void> secondEnds = far.submit(second);
        while (!second.waits()) {
            Thread.onSpinWait();
        }
        CompletableFuture<@Nullable Void> firstEnds = near.submit(first);
        firstEnds.join();
        secondEnds.join();
    }
}
