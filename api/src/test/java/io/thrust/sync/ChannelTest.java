package io.thrust.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thrust.task.Async;
import io.thrust.task.FakeParkers;
import io.thrust.task.LocalExecutor;
import io.thrust.task.Waker;
import io.thrust.task.YieldOnce;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ChannelTest {
    private static final Waker NOBODY = () -> {};

    @Test
    void elementsArriveInOrderThroughAChannelThatIsOftenFull() throws Exception {
        LocalExecutor executor = FakeParkers.executor();
        Channel<Integer> channel = new Channel<>(3);
        List<Integer> received = new ArrayList<>();
        int[] next = {0};
        executor.spawn(Async.loop(() -> channel.send(next[0]).map(none -> ++next[0] < 1000))
                .map(none -> {
                    channel.close();
                    return none;
                }));
        executor.spawn(Async.loop(() -> channel.receive().map(element -> element != null && received.add(element))));

        executor.run();

        assertThat(received).isEqualTo(IntStream.range(0, 1000).boxed().toList());
    }

    @Test
    void severalSendersAndReceiversAreServedInTheOrderInWhichTheyCame() throws Exception {
        Channel<Integer> channel = new Channel<>(1);
        List<Async<Integer>> receivers = List.of(channel.receive(), channel.receive(), channel.receive());
        for (Async<Integer> receiver : receivers) {
            assertThat(receiver.poll(NOBODY)).isFalse();
        }
        List<Async<Void>> senders = List.of(channel.send(0), channel.send(1), channel.send(2));
        assertThat(senders.get(0).poll(NOBODY)).isTrue();
        assertThat(senders.get(1).poll(NOBODY)).isFalse();
        assertThat(senders.get(2).poll(NOBODY)).isFalse();

        for (int i = 0; i < 3; i++) {
            assertThat(receivers.get(i).poll(NOBODY)).isTrue();
            assertThat(receivers.get(i).result()).isEqualTo(i);
            assertThat(i == 2 || senders.get(i + 1).poll(NOBODY)).isTrue();
        }
    }

    @Test
    void whoeverComesLaterDoesNotTakeWhatAWokenReceiverIsToHave() throws Exception {
        Channel<String> channel = new Channel<>(2);
        Async<String> first = channel.receive();
        assertThat(first.poll(NOBODY)).isFalse();
        channel.trySend("a");

        assertThat(channel.tryReceive()).isNull();
        assertThat(channel.receive().poll(NOBODY)).isFalse();

        assertThat(first.poll(NOBODY)).isTrue();
        assertThat(first.result()).isEqualTo("a");
    }

    /** Cancels a receive after each possible number of steps; the element is received by another, in order. */
    @Test
    void aReceiveThatIsCancelledAtAnyPollLosesNothing() throws Exception {
        for (int step = 0; step < 4; step++) {
            Channel<Integer> channel = new Channel<>(2);
            Async<Integer> cancelled = channel.receive();
            int[] woken = {0};
            Async<Integer> behind = channel.receive();
            if (step > 0) {
                assertThat(cancelled.poll(NOBODY)).isFalse();
            }
            assertThat(behind.poll(() -> woken[0]++)).isFalse();
            if (step == 1) {
                cancelled.cancel();
            }
            channel.trySend(1);
            if (step == 3) {
                assertThat(cancelled.poll(NOBODY)).isTrue();
                assertThat(cancelled.result()).isEqualTo(1);
                channel.trySend(1);
            }
            cancelled.cancel();
            cancelled.cancel();

            assertThat(woken[0]).as("step " + step).isEqualTo(1);
            assertThat(behind.poll(NOBODY)).isTrue();
            assertThat(behind.result()).isEqualTo(1);
            assertThat(channel.size()).isZero();
        }
    }

    @Test
    void aSendThatIsCancelledAtAnyPollSendsNothingOrAll() throws Exception {
        for (int step = 0; step < 3; step++) {
            Channel<Integer> channel = new Channel<>(1);
            channel.trySend(0);
            Async<Void> cancelled = channel.send(1);
            Async<Void> behind = channel.send(2);
            if (step > 0) {
                assertThat(cancelled.poll(NOBODY)).isFalse();
            }
            behind.poll(NOBODY);
            List<Integer> received = new ArrayList<>();
            if (step == 2) {
                received.add(channel.tryReceive());
            }
            cancelled.cancel();
            for (Integer element; (element = channel.tryReceive()) != null; ) {
                received.add(element);
            }

            assertThat(received).as("step " + step).isEqualTo(step == 2 ? List.of(0, 1, 2) : List.of(0, 2));
            assertThat(behind.poll(NOBODY)).isTrue();
        }
    }

    @Test
    void afterCloseWhatWasSentIsReceivedThenTheEnd() throws Exception {
        Channel<String> channel = new Channel<>(2);
        channel.trySend("a");
        channel.trySend("b");
        Async<Void> late = channel.send("c");
        assertThat(late.poll(NOBODY)).isFalse();

        channel.close();
        channel.close();

        assertThatThrownBy(() -> late.poll(NOBODY)).isInstanceOf(ChannelClosedException.class);
        assertThatThrownBy(() -> channel.trySend("d")).isInstanceOf(ChannelClosedException.class);
        for (String expected : new String[] {"a", "b", null, null}) {
            Async<String> receive = channel.receive();
            assertThat(receive.poll(NOBODY)).isTrue();
            assertThat(receive.result()).isEqualTo(expected);
        }
    }

    @Test
    void aReceiverThatWaitsGetsTheEndOnlyAfterWhatIsThereForAnother() throws Exception {
        Channel<String> channel = new Channel<>(2);
        Async<String> first = channel.receive();
        Async<String> second = channel.receive();
        first.poll(NOBODY);
        second.poll(NOBODY);
        channel.trySend("a");
        channel.close();
        assertThat(second.poll(NOBODY)).isFalse();

        first.cancel();

        assertThat(second.poll(NOBODY)).isTrue();
        assertThat(second.result()).isEqualTo("a");
    }

    @Test
    void closeEndsReceiversThatWait() throws Exception {
        LocalExecutor executor = FakeParkers.executor();
        Channel<String> channel = new Channel<>(1);
        executor.spawn(new YieldOnce().map(none -> {
            channel.close();
            return none;
        }));

        assertThat(executor.<String>blockOn(channel.receive())).isNull();
    }

    @Test
    void anotherThreadIsRefusedWithTheNamesOfBoth() throws Exception {
        Channel<String> channel = new Channel<>(1);
        channel.trySend("a");
        List<Throwable> thrown = new ArrayList<>();
        Thread other = new Thread(
                () -> {
                    try {
                        channel.tryReceive();
                    } catch (IllegalStateException e) {
                        thrown.add(e);
                    }
                },
                "other");
        other.start();
        other.join();

        assertThat(thrown)
                .singleElement()
                .asString()
                .contains("\"other\"", Thread.currentThread().getName());
    }

    @Test
    void wrongArgumentsAreRefused() {
        assertThatThrownBy(() -> new Channel<>(0)).hasMessageContaining("capacity is 0");
        assertThatThrownBy(() -> new Channel<String>(1).trySend(null)).isInstanceOf(NullPointerException.class);
    }
}
