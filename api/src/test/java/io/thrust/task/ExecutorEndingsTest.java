package io.thrust.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When run, blockOn and turn return, and what is left then. */
@Timeout(60)
class ExecutorEndingsTest {
    private final FakeParker parker = new FakeParker();
    private final LocalExecutor executor = new LocalExecutor(parker, () -> 0);

    @Test
    void runReturnsWhenNoCountedTaskIsLeft() {
        Countdown countdown = new Countdown(1000);
        Task<?> task = executor.spawn(countdown);

        executor.run();

        assertThat(task.isDone()).isTrue();
        assertThat(executor.taskCount()).isZero();
    }

    @Test
    void runWithoutTasksReturnsAtOnceAndDoesNotPark() {
        executor.run();

        assertThat(parker.parks).isZero();
    }

    @Test
    void runCancelsTheBackgroundTasksAtItsEnd() {
        Probe<Void> background = Probe.pending();
        Task<Void> handle = executor.spawnBackground(background);
        executor.spawn(new YieldOnce());

        executor.run();

        assertThat(background.polls).isEqualTo(1);
        assertThat(background.cancels).isEqualTo(1);
        assertThat(handle.isCancelled()).isTrue();
        assertThat(executor.taskCount()).isZero();
    }

    @Test
    void runCanBeUsedAgainAfterItReturned() {
        for (int i = 0; i < 3; i++) {
            Task<?> task = executor.spawn(new YieldOnce());
            executor.run();
            assertThat(task.isDone()).isTrue();
        }
    }

    @Test
    void blockOnDrainsSpawnedTasksBeforeItReturns() throws IOException {
        List<String> order = new ArrayList<>();

        String value = executor.blockOn(Async.lazy(() -> {
            executor.spawn(new Countdown(50).map(none -> {
                executor.spawn(new Countdown(50).map(alsoNone -> order.add("grandchild")));
                return order.add("child");
            }));
            order.add("main");
            return Async.ready("done");
        }));

        assertThat(value).isEqualTo("done");
        assertThat(order).containsExactly("main", "child", "grandchild");
    }

    @Test
    void blockOnReturnsNullAsAValue() throws IOException {
        assertThat(executor.<String>blockOn(Async.ready(null))).isNull();
    }

    @Test
    void aMainThatFailsCancelsTheRestAndThrows() {
        Probe<Void> other = Probe.pending();
        Probe<Void> background = Probe.pending();
        IOException failure = new IOException("main");

        assertThatThrownBy(() -> executor.blockOn(Async.lazy(() -> {
                    executor.spawn(other);
                    executor.spawnBackground(background);
                    return new YieldOnce().then(none -> Async.failed(failure));
                })))
                .isSameAs(failure);

        assertThat(other.cancels).isEqualTo(1);
        assertThat(background.cancels).isEqualTo(1);
        assertThat(executor.taskCount()).isZero();
    }

    @Test
    void blockOnThrowsUncheckedExceptionsAndErrorsAsTheyAreAndWrapsOtherCheckedOnes() {
        RuntimeException unchecked = new IllegalArgumentException("unchecked");
        Error error = new AssertionError("error");
        Exception checked = new Exception("checked");

        assertThatThrownBy(() -> executor.blockOn(Async.failed(unchecked))).isSameAs(unchecked);
        assertThatThrownBy(() -> executor.blockOn(new Probe<>(waker -> {
                    throw error;
                })))
                .isSameAs(error);
        assertThatThrownBy(() -> executor.blockOn(Async.failed(checked)))
                .isInstanceOf(CompletionException.class)
                .hasCause(checked);
    }

    @Test
    void tasksThatCancellationsSpawnAreCancelledBeforeRunReturns() {
        Probe<Void> counted = Probe.pending();
        Probe<Void> second = Probe.pending();
        Probe<Void> first = Probe.pending();
        first.onCancel = () -> {
            executor.spawn(counted);
            executor.spawnBackground(second);
        };
        executor.spawnBackground(first);
        executor.spawn(new YieldOnce());

        executor.run();

        assertThat(counted.cancels).isEqualTo(1);
        assertThat(second.cancels).isEqualTo(1);
        assertThat(executor.taskCount()).isZero();
    }

    @Test
    void aTaskThatThrowsHarmsNoOther() throws Exception {
        IllegalStateException failure = new IllegalStateException("broken");
        Task<Object> broken = executor.spawn(Probe.failing(failure));
        Task<?> other = executor.spawn(new Countdown(10));

        executor.run();

        assertThat(other.isDone()).isTrue();
        assertThatThrownBy(broken::result).isSameAs(failure);
    }

    @Test
    void aWakeUpThatIsQueuedWhenTheLastTaskEndsDoesNotKeepRunFromReturning() throws Exception {
        Probe<Void> background = Probe.pending();
        executor.spawnBackground(background);
        executor.spawn(new YieldOnce().map(none -> {
            onOtherThread(() -> background.waker().wake());
            return none;
        }));

        executor.run();

        assertThat(background.cancels).isEqualTo(1);
    }

    @Test
    void whatIsSubmittedWhileTheLastTaskEndsIsRunByTheSameRun() {
        Probe<String> submitted = Probe.ready("late");
        List<CompletableFuture<String>> futures = new ArrayList<>();
        executor.spawn(new YieldOnce().map(none -> {
            onOtherThread(() -> futures.add(executor.submit(submitted)));
            return none;
        }));

        executor.run();

        assertThat(futures.get(0)).isCompletedWithValue("late");
    }

    @Test
    void runAndBlockOnAndTurnInsideATaskAreRefused() {
        List<Throwable> thrown = new ArrayList<>();
        executor.spawn(Async.lazy(() -> {
            thrown.add(org.assertj.core.api.Assertions.catchThrowable(executor::run));
            thrown.add(org.assertj.core.api.Assertions.catchThrowable(() -> executor.blockOn(new YieldOnce())));
            thrown.add(org.assertj.core.api.Assertions.catchThrowable(() -> executor.turn(0)));
            return Async.ready(null);
        }));

        executor.run();

        assertThat(thrown)
                .hasSize(3)
                .allSatisfy(t ->
                        assertThat(t).isInstanceOf(IllegalStateException.class).hasMessageContaining("inside a task"));
    }

    @Test
    void aLoopInsideATaskOfAnotherLoopRunsAndWakesItsOwn() throws IOException {
        LocalExecutor inner = new LocalExecutor(new FakeParker(), () -> 0);

        String value = executor.blockOn(Async.lazy(() -> {
            try {
                return Async.ready(inner.blockOn(new Countdown(5).map(none -> "inner")));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }));

        assertThat(value).isEqualTo("inner");
    }

    // ---- turn

    @Test
    void turnPollsForAsLongAsIsFairAndSaysWhetherTasksAreLeft() {
        executor.spawn(new Countdown(LocalExecutor.POLLS_PER_TURN));

        assertThat(executor.turn(0)).isTrue();
        assertThat(executor.turn(0)).isFalse();
    }

    @Test
    void turnRefusesNegativeTimes() {
        assertThatThrownBy(() -> executor.turn(-2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-2");
    }

    @Test
    void turnWaitsNoLongerThanItIsGiven() {
        executor.spawn(Probe.pending());
        executor.turn(0);

        assertThat(executor.turn(1)).isTrue();
        assertThat(parker.waits).isEqualTo(1);
    }

    // ---- closing

    @Test
    void closeCancelsReadyWaitingBackgroundAndSubmittedTasks() throws Exception {
        Probe<Void> ready = Probe.pending();
        Probe<Void> waiting = Probe.pending();
        Probe<Void> background = Probe.pending();
        Probe<Void> submitted = Probe.pending();
        executor.spawn(waiting);
        executor.spawnBackground(background);
        executor.turn(0);
        executor.spawn(ready);
        CompletableFuture<Void> future = executor.submit(submitted);

        executor.close();

        assertThat(executor.isClosed()).isTrue();
        assertThat(executor.awaitClosed(0, TimeUnit.SECONDS)).isTrue();
        assertThat(List.of(ready, waiting, background, submitted))
                .allSatisfy(probe -> assertThat(probe.cancels).isEqualTo(1));
        assertThat(future).isCancelled();
        assertThat(executor.taskCount()).isZero();
    }

    @Test
    void closeTellsTheParkerBeforeAndAfterItCancels() {
        List<String> order = new ArrayList<>();
        parker.onClosing = () -> order.add("closing");
        parker.onClosed = () -> order.add("closed");
        Probe<Void> task = Probe.pending();
        task.onCancel = () -> order.add("cancel");
        executor.spawn(task);

        executor.close();
        executor.close();

        assertThat(order).containsExactly("closing", "cancel", "closed");
    }

    @Test
    void closeInsideATaskEndsRunAndLosesNothing() {
        Probe<Void> other = Probe.pending();
        executor.spawn(other);
        executor.spawn(Async.lazy(() -> {
            executor.close();
            return Async.ready(null);
        }));

        executor.run();

        assertThat(other.cancels).isEqualTo(1);
        assertThat(executor.isClosed()).isTrue();
    }

    @Test
    void blockOnThrowsCancellationIfTheExecutorIsClosedMeanwhile() {
        Probe<Void> main = new Probe<>(waker -> {
            executor.close();
            return Async.PENDING;
        });

        assertThatThrownBy(() -> executor.blockOn(main)).isInstanceOf(CancellationException.class);
        assertThat(main.cancels).isEqualTo(1);
    }

    @Test
    void aClosedExecutorRejectsTasksAndCancelsThem() {
        executor.close();
        Probe<Void> spawned = Probe.pending();
        Probe<Void> submitted = Probe.pending();

        assertThatThrownBy(() -> executor.spawn(spawned)).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> executor.submit(submitted)).isInstanceOf(RejectedExecutionException.class);
        assertThat(spawned.cancels).isEqualTo(1);
        assertThat(submitted.cancels).isEqualTo(1);
        assertThatThrownBy(executor::run).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> executor.turn(0)).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void whatCancellationsWakeOrSpawnDuringCloseIsCancelledOrRejected() {
        try (Logged logged = new Logged("io.thrust.task")) {
            Probe<Void> joiner = Probe.pending();
            Probe<Void> spawning = Probe.pending();
            spawning.onCancel = () -> {
                joiner.waker().wake();
                executor.spawn(Probe.pending());
            };
            executor.spawn(joiner);
            executor.spawn(spawning);
            executor.turn(0);

            executor.close();

            assertThat(joiner.polls).isEqualTo(1);
            assertThat(joiner.cancels).isEqualTo(1);
            assertThat(logged.thrown()).hasSize(1).first().isInstanceOf(RejectedExecutionException.class);
        }
    }

    @Test
    void aLogThatFailsEndsNoLoop() throws Exception {
        java.util.logging.Logger logger = java.util.logging.Logger.getLogger("io.thrust.task");
        java.util.logging.Filter failing = record -> {
            throw new NoClassDefFoundError("as where a log may open no file");
        };
        logger.setFilter(failing);
        try {
            executor.spawn(Async.failed(new IOException("nobody asks"))).detach();
            Probe<Void> other = Probe.pending();
            executor.spawn(other);

            executor.turn(0);

            assertThat(other.polls).isEqualTo(1);
        } finally {
            logger.setFilter(null);
        }
    }

    @Test
    void aCancellationThatThrowsIsLoggedAndKeepsNoOtherFromBeingCancelled() {
        try (Logged logged = new Logged("io.thrust.task")) {
            AssertionError error = new AssertionError("cancel");
            Probe<Void> first = Probe.pending();
            Probe<Void> second = Probe.pending();
            first.onCancel = second.onCancel = () -> {
                throw error;
            };
            executor.spawn(first);
            executor.spawn(second);

            executor.close();

            assertThat(first.cancels + second.cancels).isEqualTo(2);
            assertThat(logged.thrown()).containsExactly(error, error);
        }
    }

    @Test
    void aParkerThatFailsClosesTheExecutor() {
        Probe<Void> task = Probe.pending();
        executor.spawn(task);
        IOException failure = new IOException("no more I/O");
        parker.onPark = () -> {
            throw failure;
        };

        assertThatThrownBy(executor::run)
                .isInstanceOf(UncheckedIOException.class)
                .hasCause(failure);

        assertThat(task.cancels).isEqualTo(1);
        assertThat(executor.isClosed()).isTrue();
    }

    static void onOtherThread(Runnable action) {
        List<Throwable> thrown = new ArrayList<>();
        Thread thread = new Thread(action, "other");
        thread.setUncaughtExceptionHandler((t, e) -> thrown.add(e));
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        assertThat(thrown).isEmpty();
    }

    @Test
    void aTurnThatEndsTheLastTaskDoesNotWait() {
        executor.spawn(new Countdown(3));
        executor.spawnBackground(Probe.pending());

        while (executor.turn(-1)) {
            assertThat(parker.parks).isLessThan(10);
        }

        assertThat(parker.waits).isZero();
    }

    @Test
    void aTurnWithBackgroundTasksOnlyWaitsForThem() {
        Probe<Void> background = Probe.pending();
        executor.spawnBackground(background);
        parker.onPark = parker::unpark;

        assertThat(executor.turn(-1)).isFalse();

        assertThat(parker.waits).isEqualTo(1);
    }

    @Test
    void aParkerThatThrowsAnythingClosesTheExecutorAndLeavesNoTaskBehind() {
        Probe<Void> main = Probe.pending();
        Error failure = new AssertionError("broken");
        parker.onPark = () -> {
            throw failure;
        };

        assertThatThrownBy(() -> executor.blockOn(main)).isSameAs(failure);

        assertThat(main.cancels).isEqualTo(1);
        assertThat(executor.isClosed()).isTrue();
        assertThat(executor.taskCount()).isZero();
    }

    @Test
    void blockOnOfAClosedExecutorCancelsTheComputation() {
        executor.close();
        Probe<Void> main = Probe.pending();

        assertThatThrownBy(() -> executor.blockOn(main)).isInstanceOf(RejectedExecutionException.class);

        assertThat(main.cancels).isEqualTo(1);
    }

    @Test
    void aClockThatThrowsClosesTheExecutorAndLeavesNoTaskBehind() {
        StackOverflowError error = new StackOverflowError();
        for (int way = 0; way < 3; way++) {
            LocalExecutor executor = new LocalExecutor(new FakeParker(), () -> {
                throw error;
            });
            Probe<Void> first = Probe.pending();
            Probe<Void> second = Probe.pending();
            executor.spawn(first);
            executor.spawn(second);
            int ending = way;
            assertThatThrownBy(() -> {
                        switch (ending) {
                            case 0 -> executor.run();
                            case 1 -> executor.blockOn(Probe.pending());
                            default -> executor.turn(0);
                        }
                    })
                    .isSameAs(error);

            assertThat(executor.isClosed()).isTrue();
            assertThat(first.cancels + second.cancels).isEqualTo(2);
        }
    }

    @Test
    void aTaskThatThrowsACancellationItselfWasNotCancelledAndIsLogged() {
        try (Logged logged = new Logged("io.thrust.task")) {
            CancellationException thrown = new CancellationException("of what it waited for");
            Task<Void> task = executor.spawn(Async.failed(thrown));
            executor.turn(0);

            assertThat(task.isDone()).isTrue();
            assertThat(task.isCancelled()).isFalse();
            assertThat(task).hasToString("task (failed)");
            executor.close();
            assertThat(logged.thrown()).containsExactly(thrown);
        }
    }
}
