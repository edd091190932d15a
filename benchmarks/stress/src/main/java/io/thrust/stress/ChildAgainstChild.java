package io.thrust.stress;

import io.thrust.task.Async;
import io.thrust.task.Waker;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/** Two threads wake a child each of a join that waits: the next poll polls both. */
@JCStressTest
@Outcome(
        id = {"1, 1, 2, 2", "1, 2, 2, 2"},
        expect = Expect.ACCEPTABLE,
        desc = "the join was woken, and found both")
@Outcome(expect = Expect.FORBIDDEN, desc = "a child that was forgotten or polled twice, or a join that was not woken")
@State
public class ChildAgainstChild {
    private final Gate gate = new Gate(1);
    private final Gate otherGate = new Gate(1);
    private final Async<?> join = Async.joinAll(List.of(gate, otherGate));
    private final AtomicInteger wakes = new AtomicInteger();

    public ChildAgainstChild() {
        int unused = poll(wakes::incrementAndGet);
    }

    private int poll(Waker waker) {
        try {
            return join.poll(waker) == Async.READY ? 1 : 0;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Actor
    public void waker() {
        gate.openFirst();
    }

    @Actor
    public void otherWaker() {
        otherGate.openFirst();
    }

    @Arbiter
    public void arbiter(IIII_Result r) {
        r.r2 = wakes.get();
        r.r1 = poll(() -> {});
        r.r3 = gate.polls;
        r.r4 = otherGate.polls;
    }
}
