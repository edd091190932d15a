package io.thrust.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thrust.task.Async;
import io.thrust.task.Waker;
import org.junit.jupiter.api.Test;

/** {@link Notify} and {@link OneShot}. */
class SignalsTest {
    private static final Waker NOBODY = () -> {};

    // ---- Notify

    @Test
    void oneNotificationIsKeptForTheNextAndNoMore() throws Exception {
        Notify notify = new Notify();
        notify.notifyOne();
        notify.notifyOne();

        assertThat(notify.notified().poll(NOBODY)).isTrue();
        assertThat(notify.notified().poll(NOBODY)).isFalse();
    }

    @Test
    void notifyOneReachesTheOneThatWaitsLongest() throws Exception {
        Notify notify = new Notify();
        Async<Void> first = notify.notified();
        Async<Void> second = notify.notified();
        first.poll(NOBODY);
        second.poll(NOBODY);

        notify.notifyOne();

        assertThat(second.poll(NOBODY)).isFalse();
        assertThat(first.poll(NOBODY)).isTrue();
    }

    @Test
    void notifyWaitersReachesAllThatWaitAndIsNotKept() throws Exception {
        Notify notify = new Notify();
        Async<Void> first = notify.notified();
        Async<Void> second = notify.notified();
        first.poll(NOBODY);
        second.poll(NOBODY);

        notify.notifyWaiters();
        second.cancel();

        assertThat(first.poll(NOBODY)).isTrue();
        assertThat(notify.notified().poll(NOBODY)).isFalse();
    }

    @Test
    void aWaitThatIsCancelledAtAnyPollHandsItsNotificationOn() throws Exception {
        for (int step = 0; step < 3; step++) {
            Notify notify = new Notify();
            Async<Void> cancelled = notify.notified();
            Async<Void> behind = notify.notified();
            if (step > 0) {
                cancelled.poll(NOBODY);
            }
            behind.poll(NOBODY);
            if (step == 1) {
                cancelled.cancel();
            }
            notify.notifyOne();
            cancelled.cancel();
            cancelled.cancel();

            assertThat(behind.poll(NOBODY)).as("step " + step).isTrue();
            assertThat(notify.notified().poll(NOBODY)).isFalse();
        }
    }

    // ---- OneShot

    @Test
    void theValueIsReceivedOnceWhicheverCameFirst() throws Exception {
        OneShot<String> sentFirst = new OneShot<>();
        assertThat(sentFirst.send("value")).isTrue();
        Async<String> receive = sentFirst.receive();
        assertThat(receive.poll(NOBODY)).isTrue();
        assertThat(receive.result()).isEqualTo("value");
        assertThatThrownBy(() -> sentFirst.receive().poll(NOBODY)).hasMessageContaining("received once");
        assertThatThrownBy(() -> sentFirst.send("again")).hasMessageContaining("sent once");

        OneShot<String> receivedFirst = new OneShot<>();
        int[] woken = {0};
        Async<String> waits = receivedFirst.receive();
        assertThat(waits.poll(() -> woken[0]++)).isFalse();
        receivedFirst.send("value");
        assertThat(woken[0]).isEqualTo(1);
        assertThat(waits.poll(NOBODY)).isTrue();
        assertThat(waits.result()).isEqualTo("value");
    }

    @Test
    void aFailureIsThrown() {
        OneShot<String> oneShot = new OneShot<>();
        Exception failure = new Exception("failed");
        oneShot.fail(failure);

        assertThatThrownBy(() -> oneShot.receive().poll(NOBODY)).isSameAs(failure);
    }

    @Test
    void aReceiveThatIsCancelledAtAnyPollLeavesTheValue() throws Exception {
        for (int step = 0; step < 3; step++) {
            OneShot<String> oneShot = new OneShot<>();
            Async<String> cancelled = oneShot.receive();
            if (step > 0) {
                cancelled.poll(NOBODY);
            }
            if (step == 1) {
                cancelled.cancel();
            }
            oneShot.send("value");
            cancelled.cancel();
            cancelled.cancel();

            Async<String> next = oneShot.receive();
            assertThat(next.poll(NOBODY)).as("step " + step).isTrue();
            assertThat(next.result()).isEqualTo("value");
        }
    }

    @Test
    void closeFailsWhoeverWaitsAndRefusesWhoeverSends() throws Exception {
        OneShot<String> oneShot = new OneShot<>();
        Async<String> waits = oneShot.receive();
        waits.poll(NOBODY);

        oneShot.close();

        assertThatThrownBy(() -> waits.poll(NOBODY)).isInstanceOf(ChannelClosedException.class);
        assertThatThrownBy(() -> oneShot.receive().poll(NOBODY)).isInstanceOf(ChannelClosedException.class);
        assertThat(oneShot.send("late")).isFalse();
    }
}
