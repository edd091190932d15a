package io.thrust.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A thread closes a loop that polls its task and parks: the run ends, and the task is cancelled once. */
@JCStressTest
@Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "closed while it ran")
@Outcome(id = "2, 0, 1", expect = Expect.ACCEPTABLE, desc = "closed before it ran")
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "closed before the first poll")
@Outcome(expect = Expect.FORBIDDEN, desc = "a close that did not reach the loop, or a task that was not cancelled once")
@State
public class CloseAgainstPark {
    private final Loop loop = new Loop();
    private final Waiting task = new Waiting();
    private int end;

    public CloseAgainstPark() {
        var unused = loop.executor.submit(task);
    }

    @Actor
    public void loop() {
        end = loop.run();
    }

    @Actor
    public void close() {
        loop.executor.close();
    }

    @Arbiter
    public void arbiter(III_Result r) {
        r.r1 = end;
        r.r2 = task.polls;
        r.r3 = task.cancels;
    }
}
