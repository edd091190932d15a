package io.thrust.stress;

import io.thrust.task.Async;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A thread completes a future while the loop polls a task that waits for it. */
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "the task has the result")
@Outcome(expect = Expect.FORBIDDEN, desc = "a wake-up or a result that was lost")
@State
public class StageAgainstPoll {
    private final Loop loop = new Loop();
    private final Stage future = new Stage();
    private int result;

    public StageAgainstPoll() {
        var unused = loop.executor.submit(Async.from(future).map(value -> result += value));
    }

    @Actor
    public void loop(II_Result r) {
        r.r1 = loop.run();
        r.r2 = result;
    }

    @Actor
    public void completer() {
        while (!future.observed) {
            Thread.onSpinWait();
        }
        future.complete(1);
    }

    /** Says when it is observed; it may be complete before whoever observes it knows. */
    private static final class Stage extends CompletableFuture<Integer> {
        private volatile boolean observed;

        @Override
        public CompletableFuture<Integer> whenComplete(
                BiConsumer<? super Integer, ? super @Nullable Throwable> action) {
            CompletableFuture<Integer> stage = super.whenComplete(action);
            observed = true;
            Pause.random();
            return stage;
        }
    }
}
