package io.thrust.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A thread wakes a task twice, for two reasons, while its loop polls it. */
@JCStressTest
@Outcome(
        id = {"1, 1", "1, 2", "1, 3"},
        expect = Expect.ACCEPTABLE,
        desc = "a poll a wake-up at most")
@Outcome(expect = Expect.FORBIDDEN, desc = "a wake-up that was lost, or that caused two polls")
@State
public class TwoWakesAgainstPoll {
    private final Loop loop = new Loop();
    private final Gate gate = new Gate(2);

    public TwoWakesAgainstPoll() {
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
        gate.openSecond();
    }
}
