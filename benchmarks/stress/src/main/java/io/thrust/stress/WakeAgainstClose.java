package io.thrust.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A thread wakes a task while its loop closes: the task is cancelled once, and a wake-up causes one poll at most. */
@JCStressTest
@Outcome(
        id = {"1, 1", "2, 1"},
        expect = Expect.ACCEPTABLE,
        desc = "cancelled, before or after the wake-up had its poll")
@Outcome(expect = Expect.FORBIDDEN, desc = "polled twice for one wake-up, or not cancelled once")
@State
public class WakeAgainstClose {
    private final Loop loop = new Loop();
    private final Waiting task = new Waiting();

    public WakeAgainstClose() {
        var unused = loop.executor.submit(task);
    }

    @Actor
    public void loop() {
        loop.executor.turn(0);
        loop.executor.turn(0);
        loop.executor.close();
    }

    @Actor
    public void waker() {
        task.wake();
    }

    @Arbiter
    public void arbiter(II_Result r) {
        r.r1 = task.polls;
        r.r2 = task.cancels;
    }
}
