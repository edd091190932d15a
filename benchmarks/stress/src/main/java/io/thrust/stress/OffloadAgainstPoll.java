package io.thrust.stress;

import io.thrust.task.Async;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A thread does the work of a task that is being polled for the first time. */
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "the task has the result")
@Outcome(expect = Expect.FORBIDDEN, desc = "a wake-up or a result that was lost")
@State
public class OffloadAgainstPoll {
    private final Loop loop = new Loop();
    private final Worker worker = new Worker();
    private int product;
    private int result;

    public OffloadAgainstPoll() {
        var unused = loop.executor.submit(Async.offload(worker, () -> ++product).map(product -> result = product));
    }

    @Actor
    public void loop(II_Result r) {
        r.r1 = loop.run();
        r.r2 = result;
    }

    @Actor
    public void worker() {
        var unused = worker.work();
    }
}
