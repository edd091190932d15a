package io.thrust.stress;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A thread submits while another closes: the task is rejected or accepted, and cancelled once. */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "rejected, and cancelled once")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "accepted, and cancelled once")
@Outcome(expect = Expect.FORBIDDEN, desc = "left behind or cancelled twice")
@State
public class SubmitAgainstClose {
    private final Loop loop = new Loop();
    private final Waiting task = new Waiting();
    private @Nullable CompletableFuture<@Nullable Void> future;

    @Actor
    public void close() {
        loop.executor.close();
    }

    @Actor
    public void submit() {
        try {
            future = loop.executor.submit(task);
        } catch (RejectedExecutionException e) {
            // As good.
        }
    }

    @Arbiter
    public void arbiter(II_Result r) {
        r.r1 = task.cancels;
        r.r2 = future == null ? 0 : future.isCancelled() ? 1 : -1;
    }
}
