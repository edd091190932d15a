package io.thrust.stress;

import io.thrust.sync.Mailbox;
import io.thrust.task.Async;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A thread sends while the loop cancels a receive that waits and begins another one. */
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "received by one of the two")
@Outcome(expect = Expect.FORBIDDEN, desc = "lost with the one that was cancelled, or the other was not woken")
@State
public class SendAgainstReceiveCancel {
    private final Loop loop = new Loop();
    private final Mailbox<Integer> mailbox = new Mailbox<>(1);
    private int received;

    public SendAgainstReceiveCancel() {
        // The first waits if nothing is there, and is cancelled at once, since the other of the two is ready.
        var unused = loop.executor.submit(Async.race(mailbox.receive(), Async.ready(0))
                .then(element -> element == 0 ? mailbox.receive() : Async.ready(element))
                .map(element -> received += element));
    }

    @Actor
    public void loop(II_Result r) {
        r.r1 = loop.run();
        r.r2 = received;
    }

    @Actor
    public void sender() {
        var unused = mailbox.trySend(1);
    }
}
