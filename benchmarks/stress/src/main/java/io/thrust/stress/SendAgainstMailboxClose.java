package io.thrust.stress;

import io.thrust.sync.ChannelClosedException;
import io.thrust.sync.Mailbox;
import io.thrust.task.Async;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A thread sends while another closes the mailbox: what was sent is received, what was refused is not, then comes the end. */
@JCStressTest
@Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "sent, and received before the end")
@Outcome(id = "1, 0, 0", expect = Expect.ACCEPTABLE, desc = "refused")
@Outcome(expect = Expect.FORBIDDEN, desc = "sent but lost, refused but received, or no end")
@State
public class SendAgainstMailboxClose {
    private final Loop loop = new Loop();
    private final Mailbox<Integer> mailbox = new Mailbox<>(1);
    private int sent;
    private int received;

    public SendAgainstMailboxClose() {
        var unused = loop.executor.submit(Async.loop(() -> mailbox.receive().map(element -> {
            received += element == null ? 0 : element;
            return element != null;
        })));
    }

    @Actor
    public void sender() {
        try {
            sent = mailbox.trySend(1) ? 1 : -1;
        } catch (ChannelClosedException e) {
            sent = 0;
        }
    }

    @Actor
    public void closer() {
        mailbox.close();
    }

    @Arbiter
    public void arbiter(III_Result r) {
        r.r1 = loop.run();
        r.r2 = sent;
        r.r3 = received;
    }
}
