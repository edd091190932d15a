package io.thrust.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A thread wakes a task while it is being polled or its loop parks, many times in turn. */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "a poll for each wake-up")
@Outcome(expect = Expect.FORBIDDEN, desc = "a wake-up that was lost, or that caused two polls")
@State
public class WakeDuringPoll {
    private final Loop loop = new Loop();
    private final Relay relay = new Relay();

    public WakeDuringPoll() {
        var unused = loop.executor.submit(relay);
    }

    @Actor
    public void loop(II_Result r) {
        r.r1 = loop.run();
        relay.end();
        r.r2 = relay.excess();
    }

    @Actor
    public void waker() {
        relay.takeTurns();
    }
}
