package io.thrust.stress;

import io.thrust.task.Async;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A thread wakes a child of a join while it is being polled, many times in turn. */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "a poll for each wake-up")
@Outcome(expect = Expect.FORBIDDEN, desc = "a wake-up that was lost, or that caused two polls")
@State
public class ChildWokenDuringPoll {
    private final Loop loop = new Loop();
    private final Relay relay = new Relay();

    public ChildWokenDuringPoll() {
        var unused = loop.executor.submit(Async.joinAll(List.of(relay)));
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
