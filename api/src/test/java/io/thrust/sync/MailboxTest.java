package io.thrust.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thrust.task.Async;
import io.thrust.task.FakeParkers;
import io.thrust.task.LocalExecutor;
import io.thrust.task.Waker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class MailboxTest {
    private static final Waker NOBODY = () -> {};

    @Test
    void whatManyThreadsSendIsReceivedOnceAndInTheOrderOfEachThread() throws Exception {
        int threads = 4;
        int each = 20_000;
        LocalExecutor executor = FakeParkers.executor();
        Mailbox<int[]> mailbox = new Mailbox<>(64);
        AtomicInteger left = new AtomicInteger(threads);
        List<Thread> senders = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int thread = t;
            senders.add(new Thread(() -> {
                for (int i = 0; i < each; i++) {
                    int[] element = {thread, i};
                    while (!mailbox.trySend(element)) {
                        Thread.yield();
                    }
                }
                if (left.decrementAndGet() == 0) {
                    mailbox.close();
                }
            }));
        }
        int[] next = new int[threads];
        senders.forEach(Thread::start);

        executor.blockOn(Async.loop(() -> mailbox.receive().map(element -> {
            if (element == null) {
                return false;
            }
            assertThat(element[1]).isEqualTo(next[element[0]]++);
            return true;
        })));

        assertThat(next).containsOnly(each);
    }

    @Test
    void aFullMailboxTakesNothingUntilSomethingIsReceived() {
        Mailbox<String> mailbox = new Mailbox<>(1);
        assertThat(mailbox.trySend("a")).isTrue();
        assertThat(mailbox.trySend("b")).isFalse();
        assertThat(mailbox.size()).isEqualTo(1);

        assertThat(mailbox.tryReceive()).isEqualTo("a");

        assertThat(mailbox.trySend("c")).isTrue();
        assertThat(mailbox.tryReceive()).isEqualTo("c");
        assertThat(mailbox.tryReceive()).isNull();
    }

    @Test
    void afterCloseWhatWasSentIsReceivedThenTheEnd() throws Exception {
        Mailbox<String> mailbox = new Mailbox<>(2);
        mailbox.trySend("a");
        mailbox.close();
        mailbox.close();

        assertThatThrownBy(() -> mailbox.trySend("b")).isInstanceOf(ChannelClosedException.class);
        for (String expected : new String[] {"a", null, null}) {
            Async<String> receive = mailbox.receive();
            assertThat(receive.poll(NOBODY)).isTrue();
            assertThat(receive.result()).isEqualTo(expected);
        }
    }

    @Test
    void aReceiveThatIsCancelledAtAnyPollLosesNothingAndIsNotWoken() throws Exception {
        for (int step = 0; step < 3; step++) {
            Mailbox<String> mailbox = new Mailbox<>(1);
            int[] woken = {0};
            Async<String> cancelled = mailbox.receive();
            if (step > 0) {
                assertThat(cancelled.poll(() -> woken[0]++)).isFalse();
            }
            if (step == 1) {
                cancelled.cancel();
            }
            mailbox.trySend("a");
            cancelled.cancel();
            cancelled.cancel();

            assertThat(woken[0]).isEqualTo(step == 2 ? 1 : 0);
            Async<String> next = mailbox.receive();
            assertThat(next.poll(NOBODY)).isTrue();
            assertThat(next.result()).isEqualTo("a");
        }
    }

    @Test
    void aSecondReceiveAtATimeIsRefusedAndHarmsNotTheFirst() throws Exception {
        Mailbox<String> mailbox = new Mailbox<>(1);
        Async<String> first = mailbox.receive();
        first.poll(NOBODY);
        Async<String> second = mailbox.receive();
        assertThatThrownBy(() -> second.poll(NOBODY)).hasMessageContaining("another receive");
        second.cancel();
        mailbox.trySend("a");

        assertThat(first.poll(NOBODY)).isTrue();
        assertThat(first.result()).isEqualTo("a");
    }

    @Test
    void closeByAnotherThreadEndsAReceiverThatWaits() throws Exception {
        LocalExecutor executor = FakeParkers.executor();
        Mailbox<String> mailbox = new Mailbox<>(1);
        executor.spawn(Async.lazy(() -> {
            new Thread(mailbox::close).start();
            return Async.ready(null);
        }));

        assertThat(executor.<String>blockOn(mailbox.receive())).isNull();
    }
}
