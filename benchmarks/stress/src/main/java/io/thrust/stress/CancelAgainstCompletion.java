package io.thrust.stress;

import io.thrust.task.Async;
import java.util.concurrent.CompletableFuture;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/** A thread cancels the future of a task that is just ending with a result. */
@JCStressTest
@Outcome(id = "1, 0, 1, 0", expect = Expect.ACCEPTABLE, desc = "it ended before: the future has the result")
@Outcome(id = "1, 1, 1, 1", expect = Expect.ACCEPTABLE, desc = "cancelled, and the result was closed once")
@Outcome(id = "1, 1, 0, 0", expect = Expect.ACCEPTABLE, desc = "cancelled before it had a result")
@Outcome(expect = Expect.FORBIDDEN, desc = "a result that was closed and handed over, or neither, or a loop that waits")
@State
public class CancelAgainstCompletion {
    private final Loop loop = new Loop();
    private final Resource resource = new Resource();
    private final CompletableFuture<Resource> future;
    private int made;
    private int end;
    private int cancelled;

    public CancelAgainstCompletion() {
        future = loop.executor.submit(Async.lazy(() -> {
            made++;
            return Async.ready(resource);
        }));
    }

    @Actor
    public void loop() {
        end = loop.run();
    }

    @Actor
    public void canceller() {
        cancelled = future.cancel(false) ? 1 : 0;
    }

    @Arbiter
    public void arbiter(IIII_Result r) {
        r.r1 = end;
        r.r2 = cancelled;
        r.r3 = made;
        r.r4 = resource.closes.get();
    }
}
