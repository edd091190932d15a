package io.thrust.benchmarks.claims;

import io.thrust.EventLoop;
import io.thrust.task.AbstractAsync;
import io.thrust.task.Async;
import io.thrust.task.Task;
import io.thrust.task.Waker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Tasks on one loop, which the calling thread runs. */
final class TaskWorker implements Worker {
    private final EventLoop loop = openLoop();

    static EventLoop openLoop() {
        try {
            return EventLoop.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void spawnAndJoin(int times, Histogram nanos) throws IOException {
        loop.blockOn(new SpawnAndJoin(loop, times, nanos));
    }

    @Override
    public long create(int count) {
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            Task<?> task = loop.spawn(Async.ready(Boolean.TRUE));
            if (task.isDone()) {
                throw new IllegalStateException("nobody has polled it");
            }
        }
        long taken = System.nanoTime() - start;
        loop.run();
        return taken;
    }

    @Override
    public void park(int count) {
        for (int i = 0; i < count; i++) {
            loop.spawnBackground(new Parked());
        }
        int turns = count / 64 + 1; // The most polls in a turn.
        for (int i = 0; i < turns; i++) {
            loop.turn(0);
        }
    }

    @Override
    public void handOver(int rounds, Histogram nanos) {
        AtomicInteger turn = new AtomicInteger();
        Player first = new Player(turn, 0, rounds, nanos);
        Player second = new Player(turn, 1, rounds, null);
        first.other = second;
        second.other = first;
        loop.spawn(second);
        loop.spawn(first);
        loop.run();
    }

    /** Spawns a task and joins it, again and again. */
    private static final class SpawnAndJoin extends AbstractAsync<@Nullable Void> {
        private final EventLoop loop;
        private final Histogram nanos;
        private int left;
        private long start;
        private @Nullable Async<Boolean> join;

        SpawnAndJoin(EventLoop loop, int times, Histogram nanos) {
            this.loop = loop;
            this.left = times;
            this.nanos = nanos;
        }

        @Override
        protected boolean advance(Waker waker) throws Exception {
            while (true) {
                Async<Boolean> join = this.join;
                if (join == null) {
                    if (left-- == 0) {
                        return READY;
                    }
                    start = System.nanoTime();
                    join = loop.spawn(Async.ready(Boolean.TRUE)).join();
                    this.join = join;
                }
                if (join.poll(waker) == PENDING) {
                    return PENDING;
                }
                nanos.recordValue(System.nanoTime() - start);
                this.join = null;
            }
        }

        @Override
        protected @Nullable Void value() {
            return null;
        }
    }
}
