package io.thrust.examples;

import io.thrust.AsyncTimeoutException;
import io.thrust.EventLoop;
import io.thrust.Timers;
import io.thrust.sync.Channel;
import io.thrust.task.Async;
import io.thrust.task.Task;
import io.thrust.task.TaskScope;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asks several servers at a time, and hands on what each says as it comes. One that is late, or fails, costs its own part.
 * Whoever cancels the question cancels the calls: they are tasks of a scope, and none outlives it.
 */
final class Fanout {
    private final List<Downstream> downstreams;
    private final Duration timeout;
    private final Duration totalTimeout;
    private final Executor blocking;

    /**
     * Creates one.
     *
     * @param timeout of each call
     * @param totalTimeout of all of them together
     * @param blocking where names are resolved; belongs to the caller
     */
    Fanout(List<Downstream> downstreams, Duration timeout, Duration totalTimeout, Executor blocking) {
        this.downstreams = List.copyOf(downstreams);
        this.timeout = timeout;
        this.totalTimeout = totalTimeout;
        this.blocking = blocking;
    }

    /** What became of one call, as a line. */
    private record Part(int call, boolean answered, String line) {}

    /**
     * Asks all of them.
     *
     * @param sink takes a line for each of them, one after the other; while it waits, what arrives is kept
     * @return a line that says how many have answered
     */
    Async<String> ask(String query, Function<String, Async<?>> sink) {
        return Async.lazy(() -> EventLoop.current().scope(scope -> askAll(scope, query, sink)));
    }

    private Async<String> askAll(TaskScope scope, String query, Function<String, Async<?>> sink) {
        EventLoop loop = EventLoop.current();
        long start = loop.nanoTime();
        long deadline = start + totalTimeout.toNanos();
        // There is room for all, so that no call waits for the client.
        Channel<Part> parts = new Channel<>(downstreams.size());
        List<Task<?>> calls = new ArrayList<>();
        for (int i = 0; i < downstreams.size(); i++) {
            calls.add(scope.spawn(
                    downstreams.get(i).name(), call(i, query, loop, start).then(parts::send)));
        }
        BitSet missing = new BitSet();
        missing.set(0, calls.size());
        int[] answered = {0};
        Async<@Nullable Void> collecting =
                Async.loop(() -> next(parts, deadline).then(part -> {
                    if (part == null) {
                        return Async.ready(false);
                    }
                    missing.clear(part.call());
                    answered[0] += part.answered() ? 1 : 0;
                    return sink.apply(part.line()).map(none -> !missing.isEmpty());
                }));
        return collecting
                .then(none -> giveUp(calls, missing, sink))
                .map(none -> answered[0] + " of " + calls.size() + " answered within " + millis(loop.nanoTime() - start)
                        + "\n");
    }

    /** The next part; null if the time for all passes before. */
    private static Async<@Nullable Part> next(Channel<Part> parts, long deadline) {
        Async<@Nullable Part> late = Timers.sleepUntil(deadline).map(none -> null);
        return Async.race(parts.receive(), late);
    }

    private Async<Part> call(int index, String query, EventLoop loop, long start) {
        Downstream downstream = downstreams.get(index);
        return downstream
                .ask(query, blocking)
                .transform(Timers.timeout(timeout))
                .map(answer -> new Part(
                        index,
                        true,
                        line(downstream, "answered after " + millis(loop.nanoTime() - start) + ": " + answer)))
                .recover(
                        AsyncTimeoutException.class,
                        late -> missing(index, "timed out after " + millis(timeout.toNanos())))
                .recover(IOException.class, failure -> missing(index, "failed: " + failure.getMessage()));
    }

    private Async<Part> missing(int index, String why) {
        return Async.ready(new Part(index, false, line(downstreams.get(index), why)));
    }

    /** Cancels the calls for which no time is left, and says so. */
    private Async<?> giveUp(List<Task<?>> calls, BitSet missing, Function<String, Async<?>> sink) {
        int[] late = missing.stream().toArray();
        for (int call : late) {
            calls.get(call).cancel();
        }
        int[] next = {0};
        return Async.repeat(
                late.length,
                () -> sink.apply(line(
                        downstreams.get(late[next[0]++]),
                        "timed out with all others after " + millis(totalTimeout.toNanos()))));
    }

    private static String line(Downstream downstream, String what) {
        return downstream.name() + " " + what + "\n";
    }

    private static String millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos) + " ms";
    }
}
