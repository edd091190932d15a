package io.thrust.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A thread wakes two tasks, one after the other, while their loop takes what was woken. */
@JCStressTest
@Outcome(
        id = {"1, 1, 1", "1, 1, 2", "1, 2, 1", "1, 2, 2"},
        expect = Expect.ACCEPTABLE,
        desc = "each was polled once more at most, for its own wake-up")
@Outcome(expect = Expect.FORBIDDEN, desc = "a wake-up that was lost, or that caused two polls")
@State
public class WakesOfTwoTasks {
    private final Loop loop = new Loop();
    private final Gate gate = new Gate(1);
    private final Gate otherGate = new Gate(1);

    public WakesOfTwoTasks() {
        var unused = loop.executor.submit(gate);
        unused = loop.executor.submit(otherGate);
    }

    @Actor
    public void loop(III_Result r) {
        r.r1 = loop.run();
        r.r2 = gate.polls;
        r.r3 = otherGate.polls;
    }

    @Actor
    public void waker() {
        gate.openFirst();
        otherGate.openFirst();
    }
}
