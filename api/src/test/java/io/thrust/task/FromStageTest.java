package io.thrust.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waiting for a stage that other threads complete, and the way back. */
@Timeout(60)
class FromStageTest {
    private static final Waker NOBODY = () -> {};

    private final LocalExecutor executor = new LocalExecutor(new FakeParker(), () -> 0);
    private final List<String> closed = new ArrayList<>();

    @Test
    void aStageThatIsCompletedByAnotherThreadWakesTheTask() throws Exception {
        CompletableFuture<String> future = new CompletableFuture<>();
        Thread[] completer = {null};
        executor.spawn(new Countdown(3).map(none -> {
            completer[0] = new Thread(() -> future.complete("done"));
            completer[0].start();
            return none;
        }));
        assertThat(executor.<String>blockOn(Async.from(future))).isEqualTo("done");
        completer[0].join();
    }

    @Test
    void aStageThatIsCompleteIsReadyAtOnceThoughItsValueIsNull() throws Exception {
        Async<String> done = Async.from(CompletableFuture.completedFuture(null));
        assertThat(done.poll(NOBODY)).isTrue();
        assertThat(done.result()).isNull();
    }

    @Test
    void whatAStageFailedWithIsThrownAsItIs() {
        IOException failure = new IOException("failed");
        CompletableFuture<String> direct = CompletableFuture.failedFuture(failure);
        for (CompletionStage<String> stage : List.of(
                direct,
                direct.thenApply(value -> value),
                CompletableFuture.<String>failedFuture(new CompletionException(new ExecutionException(failure))))) {
            assertThatThrownBy(() -> executor.blockOn(Async.from(stage))).isSameAs(failure);
        }
        CompletionException empty = new CompletionException("without a cause", null);
        assertThatThrownBy(() -> executor.blockOn(Async.from(CompletableFuture.failedFuture(empty))))
                .isSameAs(empty);
        AssertionError error = new AssertionError("an error");
        assertThatThrownBy(() -> executor.blockOn(Async.from(CompletableFuture.failedFuture(error))))
                .isSameAs(error);
        CompletableFuture<String> cancelled = new CompletableFuture<>();
        cancelled.cancel(false);
        assertThatThrownBy(() -> executor.blockOn(Async.from(cancelled))).isInstanceOf(CancellationException.class);
    }

    @Test
    void cancellingCancelsTheFutureBeforeTheFirstPollToo() throws Exception {
        CompletableFuture<String> unpolled = new CompletableFuture<>();
        Async.from(unpolled).cancel();
        assertThat(unpolled).isCancelled();

        CompletableFuture<String> polled = new CompletableFuture<>();
        int[] wakes = {0};
        Async<String> async = Async.from(polled);
        assertThat(async.poll(() -> wakes[0]++)).isFalse();
        async.cancel();
        assertThat(polled).isCancelled();
        assertThat(wakes[0]).isZero();
    }

    @Test
    void aStageThatCannotBeCancelledRunsOnAndItsResultIsClosed() throws Exception {
        for (boolean poll : new boolean[] {false, true}) {
            CompletableFuture<AutoCloseable> source = new CompletableFuture<>();
            Async<AutoCloseable> async = Async.from(source.minimalCompletionStage());
            if (poll) {
                assertThat(async.poll(NOBODY)).isFalse();
            }
            async.cancel();
            assertThat(source).isNotDone();
            source.complete(() -> closed.add("polled: " + poll));
        }
        assertThat(closed).containsExactly("polled: false", "polled: true");
    }

    @Test
    void aResultThatWasThereBeforeTheCancellationIsClosedOnce() throws Exception {
        Async.from(CompletableFuture.<AutoCloseable>completedFuture(() -> closed.add("unpolled")))
                .cancel();
        CompletableFuture<AutoCloseable> future = new CompletableFuture<>();
        Async<AutoCloseable> async = Async.from(future);
        async.poll(NOBODY);
        future.complete(() -> closed.add("polled"));
        async.cancel();
        async.cancel();
        assertThat(closed).containsExactly("unpolled", "polled");
    }

    @Test
    void theLatestWakerIsWokenOnce() throws Exception {
        CompletableFuture<String> future = new CompletableFuture<>();
        List<String> wakes = new ArrayList<>();
        Async<String> async = Async.from(future);
        async.poll(() -> wakes.add("first"));
        async.poll(() -> wakes.add("second"));
        future.complete("done");
        assertThat(wakes).containsExactly("second");
        assertThat(async.poll(NOBODY)).isTrue();
    }

    @Test
    void completionsThatRaceWithPollsAreNotLost() throws Exception {
        for (int round = 0; round < 2000; round++) {
            CompletableFuture<Integer> future = new CompletableFuture<>();
            int number = round;
            Thread completer = new Thread(() -> future.complete(number));
            completer.start();
            assertThat(executor.<Integer>blockOn(new YieldOnce().then(none -> Async.from(future))))
                    .isEqualTo(round);
            completer.join();
        }
    }

    @Test
    void theFutureOfAComputationRunsItAtOnceAndTakesItsCancellationThere() throws Exception {
        Probe<String> endless = Probe.pending();
        CompletableFuture<String> future = endless.toCompletableFuture(executor);
        CompletableFuture<String> done = new Countdown(3).map(none -> "done").toCompletableFuture(executor);
        executor.spawn(new Countdown(5).map(none -> future.cancel(true)));

        executor.run();

        assertThat(done).isCompletedWithValue("done");
        assertThat(endless.polls).isEqualTo(1);
        assertThat(endless.cancels).isEqualTo(1);
    }

    @Test
    void transformAppliesTheFunction() throws Exception {
        CompletableFuture<String> future = Async.ready("value").transform(executor::submit);
        executor.run();
        assertThat(future).isCompletedWithValue("value");
    }

    /** A stage that is none of {@link CompletableFuture}'s making: it completes when and as often as a test says. */
    private static final class Rogue extends CompletableFuture<AutoCloseable> {
        BiConsumer<? super AutoCloseable, ? super Throwable> action = (value, thrown) -> {};

        @Override
        public CompletableFuture<AutoCloseable> whenComplete(
                BiConsumer<? super AutoCloseable, ? super Throwable> action) {
            this.action = action;
            return this;
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            throw new StackOverflowError();
        }
    }

    @Test
    void aStageThatCompletesTwiceClosesNothingThatWasTaken() throws Exception {
        Rogue stage = new Rogue();
        Async<AutoCloseable> waiting = Async.from(stage);
        waiting.poll(NOBODY);
        AutoCloseable value = () -> closed.add("value");
        AutoCloseable other = () -> closed.add("other");

        stage.action.accept(value, null);
        stage.action.accept(value, null);
        assertThat(waiting.poll(NOBODY)).isTrue();
        stage.action.accept(value, null);
        assertThat(closed).isEmpty();
        assertThat(waiting.result()).isSameAs(value);

        stage.action.accept(other, null);
        assertThat(closed).containsExactly("other");
    }

    @Test
    void aResultIsClosedThoughTheStageCannotBeCancelled() throws Exception {
        Rogue stage = new Rogue();
        Async<AutoCloseable> waiting = Async.from(stage);
        waiting.poll(NOBODY);
        AutoCloseable value = () -> closed.add("value");
        stage.action.accept(value, null);

        assertThatThrownBy(waiting::cancel).isInstanceOf(StackOverflowError.class);

        assertThat(closed).containsExactly("value");
    }

    @Test
    void aStageIsCancelledThoughItCannotBeListenedTo() {
        boolean[] cancelled = {false};
        Async<Object> waiting = Async.from(new CompletableFuture<>() {
            @Override
            public CompletableFuture<Object> whenComplete(BiConsumer<? super Object, ? super Throwable> action) {
                throw new IllegalStateException("nobody listens");
            }

            @Override
            public boolean cancel(boolean mayInterruptIfRunning) {
                cancelled[0] = true;
                return true;
            }
        });

        assertThatThrownBy(waiting::cancel).isInstanceOf(IllegalStateException.class);

        assertThat(cancelled[0]).isTrue();
    }

    @Test
    void aFailureThatTheFutureDoesNotTakeIsLoggedUnlessItWasCancelled() throws Exception {
        try (Logged logged = new Logged("io.thrust.task")) {
            RuntimeException failure = new RuntimeException("late");
            List<CompletableFuture<String>> future = new ArrayList<>();
            future.add(0, executor.submit(Async.lazy(() -> {
                future.get(0).complete("by somebody else");
                throw failure;
            })));
            executor.run();
            assertThat(future.get(0).get()).isEqualTo("by somebody else");
            assertThat(logged.thrown()).containsExactly(failure);

            future.add(0, executor.submit(Async.lazy(() -> {
                future.get(0).cancel(false);
                throw failure;
            })));
            executor.run();
            assertThat(logged.thrown()).hasSize(1);
        }
    }
}
