package io.thrust.stress;

import io.thrust.task.Async;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/** A thread does the work of a computation that the loop cancels. */
@JCStressTest
@Outcome(id = "1, 0, 0, 0", expect = Expect.ACCEPTABLE, desc = "cancelled before the work began")
@Outcome(id = "1, 1, 1, 0", expect = Expect.ACCEPTABLE, desc = "what it made was closed once")
@Outcome(expect = Expect.FORBIDDEN, desc = "a result that was not closed once, or a thread that was left interrupted")
@State
public class OffloadAgainstCancel {
    private final Loop loop = new Loop();
    private final Worker worker = new Worker();
    private final Resource resource = new Resource();
    private int made;
    private int end;
    private int interrupted;

    public OffloadAgainstCancel() {
        // What is not ready at its first poll is cancelled, since the other of the two is.
        var unused = loop.executor.submit(
                Async.<Resource>race(Async.offload(worker, this::make), Async.ready(new Resource()))
                        .then(taken -> Async.ready(1).closing(taken)));
    }

    private Resource make() {
        made++;
        return resource;
    }

    @Actor
    public void loop() {
        end = loop.run();
    }

    @Actor
    public void worker() {
        interrupted = worker.work() ? 1 : 0;
    }

    @Arbiter
    public void arbiter(IIII_Result r) {
        r.r1 = end;
        r.r2 = made;
        r.r3 = resource.closes.get();
        r.r4 = interrupted;
    }
}
