package io.thrust.stress;

import io.thrust.task.Task;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A thread wakes a task while the loop cancels it: it is not polled again, and the loop runs on as ever. */
@JCStressTest
@Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "polled once, cancelled once")
@Outcome(expect = Expect.FORBIDDEN, desc = "polled after its end, not cancelled once, or a loop that is out of order")
@State
public class WakeAgainstCancel {
    private final Loop loop = new Loop();
    private final Waiting waiting = new Waiting();

    @Actor
    public void loop(III_Result r) {
        Task<@Nullable Void> task = loop.executor.spawn(waiting);
        loop.executor.turn(0);
        task.cancel();
        var unused = loop.executor.spawn(new Gate(0));
        int end = loop.run();
        r.r1 = loop.executor.taskCount() == 0 ? end : -2;
        r.r2 = waiting.polls;
        r.r3 = waiting.cancels;
    }

    @Actor
    public void waker() {
        waiting.wake();
    }
}
