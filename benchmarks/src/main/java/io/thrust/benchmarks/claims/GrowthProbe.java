package io.thrust.benchmarks.claims;

import io.thrust.EventLoop;
import io.thrust.Timers;
import io.thrust.task.AbstractAsync;
import io.thrust.task.Async;
import io.thrust.task.Task;
import io.thrust.task.Waker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one of many costs, in a JVM of its own. */
final class GrowthProbe {
    /** Operations that are timed at least, in as many rounds as that takes. */
    private static final int LEAST = 200_000;

    private static final int MEASUREMENTS = 5;
    private static final Duration LONG = Duration.ofHours(1);

    private long time;
    private final EventLoop loop;

    private GrowthProbe() throws IOException {
        loop = EventLoop.builder().clock(() -> time).open();
    }

    /** Arguments: what to measure, and of how many. */
    public static void main(String[] args) throws Exception {
        GrowthProbe probe = new GrowthProbe();
        int count = Integer.parseInt(args[1]);
        int rounds = LEAST / count + 1;
        Round round = switch (args[0]) {
            case "spawn" -> () -> probe.spawnAndEnd(count, rounds);
            case "yield" -> () -> probe.yieldInTurn(count, rounds);
            case "fire" -> () -> probe.fire(count, rounds);
            case "cancel" -> () -> probe.startAndCancel(count);
            default -> throw new IllegalArgumentException("nothing that grows is called \"" + args[0] + "\"");
        };
        double[] nanos = new double[MEASUREMENTS];
        round.run();
        round.run();
        for (int i = 0; i < MEASUREMENTS; i++) {
            System.gc();
            nanos[i] = round.run();
        }
        Arrays.sort(nanos);
        ChildJvm.print("ns", nanos[MEASUREMENTS / 2]);
        System.exit(0);
    }

    /** Returns nanoseconds per operation. */
    private interface Round {
        double run();
    }

    private double spawnAndEnd(int count, int rounds) {
        long start = System.nanoTime();
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < count; i++) {
                loop.spawn(Async.ready(Boolean.TRUE));
            }
            loop.run();
        }
        return (System.nanoTime() - start) / ((double) count * rounds);
    }

    /** All are there; each wakes itself and is polled when it is its turn again. */
    private double yieldInTurn(int count, int rounds) {
        for (int i = 0; i < count; i++) {
            loop.spawn(new Yielding(rounds));
        }
        long start = System.nanoTime();
        loop.run();
        return (System.nanoTime() - start) / ((double) count * (rounds + 1));
    }

    /** Starts timers and lets all of them fire at once. */
    private double fire(int count, int rounds) {
        long nanos = 0;
        for (int round = 0; round < rounds; round++) {
            List<Task<?>> sleepers = new ArrayList<>(count);
            long start = System.nanoTime();
            for (int i = 0; i < count; i++) {
                sleepers.add(loop.spawn(Timers.sleep(LONG.plusNanos(i * 7919L % 104_729))));
            }
            while (loop.reactor().timers().size() < count) {
                loop.turn(0);
            }
            time += LONG.plusSeconds(1).toNanos();
            loop.run();
            nanos += System.nanoTime() - start;
            if (!sleepers.get(count - 1).isDone()) {
                throw new IllegalStateException("the last timer has not fired");
            }
        }
        return nanos / ((double) count * rounds);
    }

    /** Starts and cancels one timer after the other, beside as many that wait. */
    private double startAndCancel(int count) {
        for (int i = 0; i < count; i++) {
            loop.spawnBackground(Timers.sleep(LONG.plusNanos(i * 7919L % 104_729)));
        }
        while (loop.reactor().timers().size() < count) {
            loop.turn(0);
        }
        Cancelling cancelling = new Cancelling();
        Task<@Nullable Void> task = loop.spawn(cancelling);
        long start = System.nanoTime();
        while (!task.isDone()) {
            loop.turn(0);
        }
        long nanos = System.nanoTime() - start;
        loop.run(); // Cancels those in the background.
        return nanos / (double) LEAST;
    }

    private static final class Yielding extends AbstractAsync<@Nullable Void> {
        private int left;

        Yielding(int times) {
            left = times;
        }

        @Override
        protected boolean advance(Waker waker) {
            if (left-- == 0) {
                return READY;
            }
            waker.wake();
            return PENDING;
        }

        @Override
        protected @Nullable Void value() {
            return null;
        }
    }

    private static final class Cancelling extends AbstractAsync<@Nullable Void> {
        @Override
        protected boolean advance(Waker waker) throws Exception {
            for (int i = 0; i < LEAST; i++) {
                Async<@Nullable Void> sleep = Timers.sleep(LONG.plusNanos(i % 104_729));
                if (sleep.poll(waker) == READY) {
                    throw new IllegalStateException("an hour has passed");
                }
                sleep.cancel();
            }
            return READY;
        }

        @Override
        protected @Nullable Void value() {
            return null;
        }
    }
}
