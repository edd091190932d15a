package io.thrust.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A thread wakes a task that is just ending: it is not polled again, and the loop ends and runs again as ever. */
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "polled once")
@Outcome(expect = Expect.FORBIDDEN, desc = "polled after its end, or a loop that is out of order")
@State
public class WakeAgainstCompletion {
    private final Loop loop = new Loop();
    private final Gate gate = new Gate(0);

    public WakeAgainstCompletion() {
        var unused = loop.executor.submit(gate);
    }

    @Actor
    public void loop(II_Result r) {
        int first = loop.run();
        var unused = loop.executor.submit(new Gate(0));
        int second = loop.run();
        r.r1 = first == second && loop.executor.taskCount() == 0 ? first : -2;
        r.r2 = gate.polls;
    }

    @Actor
    public void waker() {
        gate.openFirst();
    }
}
