package io.thrust.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.thrust.task.Async;
import io.thrust.task.FakeParkers;
import io.thrust.task.LocalExecutor;
import io.thrust.task.Logged;
import io.thrust.task.Waker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A loop that does not run may be closed by another thread, which then cancels what waits and what was granted. */
@Timeout(60)
class ForeignCloseTest {
    private final LocalExecutor executor = FakeParkers.executor();

    @Test
    void whatWaitsAndWhatWasGrantedIsCancelledByTheThreadThatClosesTheLoop() throws Exception {
        Channel<String> full = new Channel<>(1);
        full.trySend("first");
        Channel<String> empty = new Channel<>(1);
        Semaphore semaphore = new Semaphore(0);
        Notify notify = new Notify();
        OneShot<String> oneShot = new OneShot<>();
        Mailbox<String> mailbox = new Mailbox<>(1);
        for (int i = 0; i < 2; i++) {
            executor.spawn(full.send("second"));
            executor.spawn(empty.receive());
            executor.spawn(semaphore.acquire());
            executor.spawn(notify.notified());
            executor.spawn(oneShot.receive());
        }
        executor.spawn(mailbox.receive());
        executor.turn(0);
        full.tryReceive();
        empty.trySend("element");
        semaphore.add(1);
        notify.notifyOne();
        oneShot.send("value");
        mailbox.trySend("element");

        try (Logged logged = new Logged("io.thrust.task")) {
            Thread closer = new Thread(executor::close);
            closer.start();
            closer.join();

            assertThat(logged.thrown()).isEmpty();
        }
        assertThat(executor.isClosed()).isTrue();
        assertThat(full.tryReceive()).isEqualTo("second");
        assertThat(empty.tryReceive()).isEqualTo("element");
        assertThat(semaphore.tryAcquire()).isNotNull();
        assertThat(notify.notified().poll(() -> {})).isTrue();
        assertThat(oneShot.receive().poll(() -> {})).isTrue();
        assertThat(mailbox.tryReceive()).isEqualTo("element");
    }

    @Test
    void aWakerThatThrowsKeepsNoOtherFromBeingWoken() throws Exception {
        Channel<String> channel = new Channel<>(2);
        Semaphore semaphore = new Semaphore(0);
        Notify notify = new Notify();
        OneShot<String> oneShot = new OneShot<>();
        List<String> woken = new ArrayList<>();
        Waker throwing = () -> {
            throw new StackOverflowError();
        };
        Map<String, Async<?>[]> operations = Map.of(
                "channel", new Async<?>[] {channel.receive(), channel.receive()},
                "semaphore", new Async<?>[] {semaphore.acquire(), semaphore.acquire()},
                "notify", new Async<?>[] {notify.notified(), notify.notified()},
                "one-shot", new Async<?>[] {oneShot.receive(), oneShot.receive()});
        for (Map.Entry<String, Async<?>[]> two : operations.entrySet()) {
            two.getValue()[0].poll(throwing);
            two.getValue()[1].poll(() -> woken.add(two.getKey()));
        }
        Mailbox<String> mailbox = new Mailbox<>(1);
        mailbox.receive().poll(throwing);

        try (Logged logged = new Logged("io.thrust.sync")) {
            channel.close();
            semaphore.add(2);
            notify.notifyWaiters();
            oneShot.close();
            assertThat(mailbox.trySend("element")).isTrue();

            assertThat(logged.thrown()).hasSize(5);
        }
        assertThat(woken).containsExactlyInAnyOrder("channel", "semaphore", "notify", "one-shot");
    }
}
