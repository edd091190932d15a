package io.thrust.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thrust.sync.Semaphore.Permit;
import io.thrust.task.Async;
import io.thrust.task.Countdown;
import io.thrust.task.FakeParkers;
import io.thrust.task.LocalExecutor;
import io.thrust.task.Waker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SemaphoreTest {
    private static final Waker NOBODY = () -> {};

    @Test
    void neverMoreHoldPermitsThanThereAre() throws Exception {
        LocalExecutor executor = FakeParkers.executor();
        Semaphore semaphore = new Semaphore(3);
        int[] holders = {0};
        int[] most = {0};
        for (int i = 0; i < 50; i++) {
            executor.spawn(semaphore.acquire().then(permit -> {
                most[0] = Math.max(most[0], ++holders[0]);
                return new Countdown(3)
                        .map(none -> {
                            holders[0]--;
                            return none;
                        })
                        .closing(permit);
            }));
        }

        executor.run();

        assertThat(most[0]).isEqualTo(3);
        assertThat(semaphore.available()).isEqualTo(3);
    }

    @Test
    void whoeverAsksForFewerDoesNotPassWhoeverWaitsForMore() throws Exception {
        Semaphore semaphore = new Semaphore(2);
        Permit held = semaphore.tryAcquire(1);
        Async<Permit> large = semaphore.acquire(2);
        Async<Permit> small = semaphore.acquire(1);
        assertThat(large.poll(NOBODY)).isFalse();
        assertThat(small.poll(NOBODY)).isFalse();
        assertThat(semaphore.tryAcquire()).isNull();

        held.close();
        held.close();

        assertThat(small.poll(NOBODY)).isFalse();
        assertThat(large.poll(NOBODY)).isTrue();
        large.result().close();
        assertThat(small.poll(NOBODY)).isTrue();
        assertThat(semaphore.available()).isEqualTo(1);
    }

    @Test
    void anAcquireThatIsCancelledAtAnyPollGivesBackWhatItHad() throws Exception {
        for (int step = 0; step < 4; step++) {
            Semaphore semaphore = new Semaphore(2);
            Permit held = semaphore.tryAcquire(2);
            Async<Permit> cancelled = semaphore.acquire(2);
            Async<Permit> behind = semaphore.acquire(1);
            if (step > 0) {
                cancelled.poll(NOBODY);
            }
            behind.poll(NOBODY);
            if (step == 1) {
                cancelled.cancel();
            }
            held.close();
            if (step == 3) {
                assertThat(cancelled.poll(NOBODY)).isTrue();
                cancelled.result().close();
            }
            cancelled.cancel();
            cancelled.cancel();

            assertThat(behind.poll(NOBODY)).as("step " + step).isTrue();
            assertThat(semaphore.available()).isEqualTo(1);
            behind.result().close();
            assertThat(semaphore.available()).isEqualTo(2);
        }
    }

    @Test
    void cancellingALargeOneLetsTheSmallOnesBehindItPass() throws Exception {
        Semaphore semaphore = new Semaphore(1);
        Async<Permit> large = semaphore.acquire(5);
        Async<Permit> small = semaphore.acquire();
        large.poll(NOBODY);
        small.poll(NOBODY);

        large.cancel();

        assertThat(small.poll(NOBODY)).isTrue();
    }

    @Test
    void permitsThatAreAddedGoToThoseThatWait() throws Exception {
        Semaphore semaphore = new Semaphore(0);
        Async<Permit> waiting = semaphore.acquire();
        waiting.poll(NOBODY);

        semaphore.add(2);

        assertThat(waiting.poll(NOBODY)).isTrue();
        assertThat(semaphore.available()).isEqualTo(1);
        assertThatThrownBy(() -> semaphore.add(0)).hasMessageContaining("at least 1");
        assertThatThrownBy(() -> semaphore.acquire(0)).hasMessageContaining("at least 1");
        assertThatThrownBy(() -> new Semaphore(-1)).hasMessageContaining("permits is -1");
    }
}
