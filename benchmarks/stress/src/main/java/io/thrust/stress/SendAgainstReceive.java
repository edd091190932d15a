package io.thrust.stress;

import io.thrust.sync.Mailbox;
import io.thrust.task.Async;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A thread sends twice into a mailbox with one place while the loop receives until it has both. */
@JCStressTest
@Outcome(id = "1, 3", expect = Expect.ACCEPTABLE, desc = "both were received")
@Outcome(expect = Expect.FORBIDDEN, desc = "lost, doubled, or a receiver that was not woken")
@State
public class SendAgainstReceive {
    private final Loop loop = new Loop();
    private final Mailbox<Integer> mailbox = new Mailbox<>(1);
    private int sum;
    private volatile boolean ended;

    public SendAgainstReceive() {
        var unused = loop.executor.submit(Async.loop(() -> mailbox.receive().map(element -> {
            sum += element == null ? 0 : element;
            // Both, or the end.
            return element != null && sum < 3;
        })));
    }

    @Actor
    public void loop(II_Result r) {
        r.r1 = loop.run();
        ended = true;
        r.r2 = sum;
    }

    @Actor
    public void sender() {
        send(1);
        send(2);
    }

    private void send(int element) {
        while (!mailbox.trySend(element) && !ended) {
            Thread.onSpinWait();
        }
    }
}
