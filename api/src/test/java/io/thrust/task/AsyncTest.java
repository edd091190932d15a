package io.thrust.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The combinators: laziness, order, failure, cancellation, stack. */
@Timeout(60)
class AsyncTest {
    private final FakeParker parker = new FakeParker();
    private final LocalExecutor executor = new LocalExecutor(parker, () -> 0);
    private static final Waker NOBODY = () -> {};

    @Test
    void aMillionReadyStepsUseNoStackAndLetOthersHaveTheirTurn() throws IOException {
        int[] steps = {0};
        int[] turns = {0};
        executor.spawnBackground(Async.loop(() -> {
            turns[0]++;
            return new YieldOnce().map(none -> true);
        }));

        executor.blockOn(Async.loop(() -> Async.ready(++steps[0] < 1_000_000)));

        assertThat(steps[0]).isEqualTo(1_000_000);
        assertThat(turns[0]).isGreaterThan(1_000_000 / Budget.UNITS / 2);
    }

    @Test
    void outsideOfAnExecutorALoopIsNotLimited() throws Exception {
        int[] steps = {0};
        assertThat(Async.loop(() -> Async.ready(++steps[0] < 100_000)).poll(NOBODY))
                .isTrue();
    }

    @Test
    void aLoopWaitsForItsStepAndEndsWithTheFirstFailure() throws Exception {
        int[] steps = {0};
        Async<Void> loop = Async.loop(() -> {
            if (++steps[0] == 5) {
                return Async.failed(new IOException("fifth"));
            }
            return new YieldOnce().map(none -> true);
        });

        assertThatThrownBy(() -> executor.blockOn(loop)).hasMessage("fifth");
        assertThat(steps[0]).isEqualTo(5);
    }

    @Test
    void cancellingALoopCancelsTheStepUnderWay() throws Exception {
        Probe<Boolean> step = Probe.pending();
        Async<Void> loop = Async.loop(() -> step);
        loop.poll(NOBODY);

        loop.cancel();
        loop.cancel();

        assertThat(step.cancels).isEqualTo(1);
    }

    @Test
    void lazyMakesNothingBeforeItsFirstPollAndNothingAfterACancellation() throws Exception {
        int[] made = {0};
        Async<String> lazy = Async.lazy(() -> {
            made[0]++;
            return Async.ready("made");
        });
        assertThat(made[0]).isZero();
        assertThat(executor.<String>blockOn(lazy)).isEqualTo("made");
        assertThat(made[0]).isEqualTo(1);

        Async<String> cancelled = Async.lazy(() -> {
            throw new AssertionError("made");
        });
        cancelled.cancel();
        assertThatThrownBy(() -> cancelled.poll(NOBODY)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void thenRunsInOrderAndOnlyOneIsUnderWayAtATime() throws Exception {
        List<String> order = new ArrayList<>();
        String result = executor.blockOn(new Countdown(3)
                .map(none -> order.add("first"))
                .then(added -> new Countdown(3).map(none -> order.add("second")))
                .then(added -> Async.ready("end")));

        assertThat(order).containsExactly("first", "second");
        assertThat(result).isEqualTo("end");
    }

    @Test
    void thenPassesOnlyTheOneUnderWayItsCancellation() throws Exception {
        Probe<String> first = Probe.pending();
        Probe<String> second = Probe.pending();
        Async<String> inFirst = first.then(value -> second);
        inFirst.poll(NOBODY);
        inFirst.cancel();
        inFirst.cancel();
        assertThat(List.of(first.cancels, second.cancels)).containsExactly(1, 0);

        Probe<String> done = Probe.ready("done");
        Async<String> inSecond = done.then(value -> second);
        inSecond.poll(NOBODY);
        inSecond.cancel();
        assertThat(List.of(done.cancels, second.cancels)).containsExactly(0, 1);
    }

    @Test
    void aFailureOfTheFirstKeepsTheSecondFromBeingMade() {
        IOException failure = new IOException("first");
        assertThatThrownBy(() -> executor.blockOn(Async.failed(failure).then(value -> {
                    throw new AssertionError("made");
                })))
                .isSameAs(failure);
    }

    @Test
    void resultsThatAreNotThereAreRefused() throws Exception {
        Async<Object> failed = Async.failed(new IOException("failed"));
        assertThatThrownBy(() -> failed.poll(NOBODY)).hasMessage("failed");
        for (Async<?> async : List.of(
                failed,
                Async.ready(1),
                Async.lazy(() -> Async.ready(1)),
                Async.loop(() -> Async.ready(false)),
                Async.repeat(1, () -> Async.ready(1)),
                new Countdown(1),
                new YieldOnce(),
                Probe.pending().map(value -> value),
                executor.spawn(Probe.pending()).join())) {
            assertThatThrownBy(async::result).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void countdownIsPendingAsOftenAsItSaysAndYieldOnce() throws Exception {
        int[] wakes = {0};
        Countdown countdown = new Countdown(3);
        for (int i = 0; i < 3; i++) {
            assertThat(countdown.poll(() -> wakes[0]++)).isFalse();
        }
        assertThat(countdown.poll(NOBODY)).isTrue();
        assertThat(wakes[0]).isEqualTo(3);
        assertThat(new Countdown(0).poll(NOBODY)).isTrue();
        assertThatThrownBy(() -> new Countdown(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1");

        YieldOnce once = new YieldOnce();
        assertThat(once.poll(() -> wakes[0]++)).isFalse();
        assertThat(once.poll(NOBODY)).isTrue();
        assertThat(wakes[0]).isEqualTo(4);
    }

    @Test
    void wakeLatencyMeasuresTheWayToTheNextPoll() throws Exception {
        assertThat(executor.blockOn(new WakeLatency())).isGreaterThanOrEqualTo(0);
        assertThat(parker.waits).isZero();
        assertThatThrownBy(() -> new WakeLatency().result()).isInstanceOf(IllegalStateException.class);
    }

    // ---- closing

    private final List<String> closings = new ArrayList<>();

    @Test
    void theResourceIsClosedOnceWithTheResultButNotBefore() throws Exception {
        Async<Integer> async = new YieldOnce().map(none -> 5).closing(() -> closings.add("closed"));

        assertThat(async.poll(NOBODY)).isFalse();
        assertThat(closings).isEmpty();
        assertThat(async.poll(NOBODY)).isTrue();
        async.cancel();

        assertThat(closings).containsExactly("closed");
        assertThat(async.result()).isEqualTo(5);
    }

    @Test
    void theResourceIsClosedWithTheFailureWhichStays() {
        Async<Integer> async = Async.<Integer>failed(new IOException("lost")).closing(() -> {
            closings.add("closed");
            throw new IOException("close");
        });

        assertThatThrownBy(() -> async.poll(NOBODY))
                .hasMessage("lost")
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1))
                .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessage("close"));
        assertThat(closings).containsExactly("closed");
    }

    @Test
    void aResourceThatFailsTheSameWayAsTheComputationHidesNothing() {
        IOException broken = new IOException("broken");
        Async<Integer> async = Async.<Integer>failed(broken).closing(() -> {
            throw broken;
        });

        assertThatThrownBy(() -> async.poll(NOBODY)).isSameAs(broken);
    }

    @Test
    void aResourceThatCannotBeClosedFailsWhatHadAResult() {
        Async<Integer> async = Async.ready(5).closing(() -> {
            throw new IOException("close");
        });

        assertThatThrownBy(() -> executor.blockOn(async)).hasMessage("close");
    }

    @Test
    void theResourceIsClosedAfterTheComputationWasCancelledThoughThatThrows() {
        Probe<Integer> inner = Probe.pending();
        inner.onCancel = () -> {
            closings.add("cancelled");
            throw new IllegalStateException("cancel");
        };
        Async<Integer> async = inner.closing(() -> {
            closings.add("closed");
            throw new IOException("close");
        });

        try (Logged logged = new Logged("io.thrust.task")) {
            assertThatThrownBy(async::cancel).hasMessage("cancel");
            assertThat(logged.thrown())
                    .singleElement()
                    .satisfies(t -> assertThat(t).hasMessage("close"));
        }
        assertThat(closings).containsExactly("cancelled", "closed");
    }

    // ---- doFinally and repeat

    @Test
    void theActionRunsExactlyOnceOnAResultAFailureAndACancellation() throws Exception {
        Async<Integer> result = Async.ready(5).doFinally(() -> closings.add("result"));
        assertThat(result.poll(NOBODY)).isTrue();
        result.cancel();

        Async<Integer> failure =
                Async.<Integer>failed(new IOException("lost")).doFinally(() -> closings.add("failure"));
        assertThatThrownBy(() -> failure.poll(NOBODY)).hasMessage("lost");
        failure.cancel();

        Async<Integer> unpolled = Async.ready(5).doFinally(() -> closings.add("unpolled"));
        unpolled.cancel();
        unpolled.cancel();

        Probe<Integer> probe = Probe.pending();
        probe.onCancel = () -> closings.add("inner");
        Async<Integer> pending = probe.doFinally(() -> closings.add("pending"));
        pending.poll(NOBODY);
        pending.cancel();

        assertThat(closings).containsExactly("result", "failure", "unpolled", "inner", "pending");
    }

    @Test
    void aResultWhoseClosingFailsIsClosedItself() {
        Async<AutoCloseable> async = Async.<AutoCloseable>ready(() -> closings.add("result"))
                .closing(() -> {
                    throw new IOException("close");
                });
        assertThatThrownBy(() -> async.poll(NOBODY)).hasMessage("close");
        assertThat(closings).containsExactly("result");
    }

    @Test
    void repeatRunsItsStepAsOftenAsItSaysAndClosesTheResults() throws Exception {
        List<AutoCloseable> made = new ArrayList<>();
        executor.blockOn(Async.repeat(3, () -> {
            AutoCloseable resource = () -> closings.add("closed");
            made.add(resource);
            return new YieldOnce().map(none -> resource);
        }));
        assertThat(made).hasSize(3);
        assertThat(closings).hasSize(3);

        int[] steps = {0};
        executor.blockOn(Async.repeat(1_000_000, () -> Async.ready(++steps[0])));
        assertThat(steps[0]).isEqualTo(1_000_000);
        executor.blockOn(Async.repeat(0, () -> {
            throw new AssertionError("a step");
        }));
        assertThatThrownBy(() -> Async.repeat(-1, () -> Async.ready(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1");
    }
}
