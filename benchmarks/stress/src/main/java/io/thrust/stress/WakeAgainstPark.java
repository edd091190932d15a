package io.thrust.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A thread wakes a task while its loop polls it, finds nothing to do, and parks. */
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "open at the first poll")
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "woken once, polled once more")
@Outcome(expect = Expect.FORBIDDEN, desc = "a wake-up that was lost, or that caused two polls")
@State
public class WakeAgainstPark {
    private final Loop loop = new Loop();
    private final Gate gate = new Gate(1);

    public WakeAgainstPark() {
        var unused = loop.executor.submit(gate);
    }

    @Actor
    public void loop(II_Result r) {
        r.r1 = loop.run();
        r.r2 = gate.polls;
    }

    @Actor
    public void waker() {
        gate.openFirst();
    }
}
