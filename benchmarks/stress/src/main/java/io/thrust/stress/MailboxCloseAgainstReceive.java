package io.thrust.stress;

import io.thrust.sync.Mailbox;
import io.thrust.task.Async;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A thread sends and closes the mailbox while the loop receives up to the end. */
@JCStressTest
@Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "the element, then the end")
@Outcome(expect = Expect.FORBIDDEN, desc = "the element was lost or doubled, or the receiver was not told of the end")
@State
public class MailboxCloseAgainstReceive {
    private final Loop loop = new Loop();
    private final Mailbox<Integer> mailbox = new Mailbox<>(1);
    private int received;
    private int ends;

    public MailboxCloseAgainstReceive() {
        var unused = loop.executor.submit(Async.loop(() -> mailbox.receive().map(element -> {
            if (element == null) {
                ends++;
                return false;
            }
            received += element;
            return true;
        })));
    }

    @Actor
    public void loop(III_Result r) {
        r.r1 = loop.run();
        r.r2 = received;
        r.r3 = ends;
    }

    @Actor
    public void sender() {
        var unused = mailbox.trySend(1);
        mailbox.close();
    }
}
