package io.thrust.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several computations at a time, of which the first that ends counts. */
@Timeout(60)
class RaceTest {
    private static final Waker NOBODY = () -> {};

    private final LocalExecutor executor = new LocalExecutor(new FakeParker(), () -> 0);

    @Test
    void theFirstThatIsReadyWinsAndTheOthersAreCancelledOnce() throws Exception {
        Probe<String> before = Probe.pending();
        Probe<String> after = Probe.ready("after");
        Async<String> race = Async.race(List.of(before, new YieldOnce().map(none -> "winner"), after));
        // All could run, and the first of those that are ready counts.
        assertThat(race.poll(NOBODY)).isTrue();
        assertThat(race.result()).isEqualTo("after");
        assertThat(List.of(before.cancels, after.cancels)).containsExactly(1, 0);

        Probe<String> never = Probe.ready("never");
        Probe<String> waiting = Probe.pending();
        Async<String> ready = Async.race(List.of(waiting, Async.ready("ready"), never));
        assertThat(ready.poll(NOBODY)).isTrue();
        ready.cancel();
        assertThat(ready.result()).isEqualTo("ready");
        assertThat(never.polls).isZero();
        assertThat(List.of(waiting.cancels, never.cancels)).containsExactly(1, 1);
    }

    @Test
    void twoOfDifferentTypesRaceForACommonOne() throws IOException {
        Number result = executor.<Number>blockOn(
                Async.<Number>race(new YieldOnce().map(none -> 1), new Countdown(3).map(none -> 2L)));
        assertThat(result).isEqualTo(1);
    }

    @Test
    void aFailureEndsTheRaceTooAndKeepsWhatTheOthersThrowWhenCancelled() {
        IllegalStateException stuck = new IllegalStateException("stuck");
        Probe<String> stubborn = Probe.pending();
        stubborn.onCancel = () -> {
            throw stuck;
        };
        Probe<String> pending = Probe.pending();
        IOException failure = new IOException("lost");
        assertThatThrownBy(() -> executor.blockOn(Async.race(List.of(stubborn, Probe.failing(failure), pending))))
                .isSameAs(failure)
                .hasSuppressedException(stuck);
        assertThat(pending.cancels).isEqualTo(1);
    }

    @Test
    void aLoserThatCannotBeCancelledDoesNotTakeTheResultAway() throws Exception {
        Probe<String> stubborn = Probe.pending();
        stubborn.onCancel = () -> {
            throw new IllegalStateException("stuck");
        };
        try (Logged logged = new Logged("io.thrust.task")) {
            assertThat(executor.<String>blockOn(Async.race(stubborn, Async.ready("winner"))))
                    .isEqualTo("winner");
            assertThat(logged.thrown())
                    .singleElement()
                    .satisfies(t -> assertThat(t).hasMessage("stuck"));
        }
    }

    @Test
    void theResultOfATaskThatLostIsClosed() throws Exception {
        List<String> closed = new ArrayList<>();
        AutoCloseable resource = () -> closed.add("closed");
        AutoCloseable other = () -> closed.add("other");
        AutoCloseable won = executor.blockOn(Async.lazy(() -> {
            Task<AutoCloseable> task = executor.spawn(Async.ready(resource));
            // By the time of the second poll both have ended, and the first of them counts.
            return new YieldOnce().then(none -> Async.race(Async.ready(other), task.join()));
        }));
        assertThat(won).isSameAs(other);
        assertThat(closed).containsExactly("closed");
    }

    @Test
    void aRaceOfNobodyIsRefused() {
        assertThatThrownBy(() -> Async.race(List.<Async<String>>of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least");
    }
}
