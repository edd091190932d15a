package io.thrust.stress;

import io.thrust.task.Async;
import java.util.concurrent.CompletableFuture;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A thread completes a future while the loop cancels a computation that waits for it. */
@JCStressTest
@Outcome(id = "1, 0, 0", expect = Expect.ACCEPTABLE, desc = "the future was cancelled before")
@Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "what it was completed with was closed once")
@Outcome(expect = Expect.FORBIDDEN, desc = "a result that was not closed once")
@State
public class StageAgainstCancel {
    private final Loop loop = new Loop();
    private final CompletableFuture<Resource> future = new CompletableFuture<>();
    private final Resource resource = new Resource();
    private int completed;
    private int end;

    public StageAgainstCancel() {
        // What is not ready at its first poll is cancelled, since the other of the two is.
        var unused = loop.executor.submit(Async.<Resource>race(Async.from(future), Async.ready(new Resource()))
                .then(taken -> Async.ready(1).closing(taken)));
    }

    @Actor
    public void loop() {
        end = loop.run();
    }

    @Actor
    public void completer() {
        completed = future.complete(resource) ? 1 : 0;
    }

    @Arbiter
    public void arbiter(III_Result r) {
        r.r1 = end;
        r.r2 = completed;
        r.r3 = resource.closes.get();
    }
}
