package io.thrust.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What other threads may do to an executor, what they may not, and their races with its end. */
@Timeout(120)
class ExecutorThreadsTest {
    private final FakeParker parker = new FakeParker();
    private final LocalExecutor executor = new LocalExecutor(parker);

    @Test
    void callsFromAnotherThreadAreRefusedWithTheNamesOfBoth() {
        Task<Void> task = executor.spawn(Probe.pending());
        String owner = Thread.currentThread().getName();
        List<Callable<?>> calls = List.of(
                () -> executor.spawn(Probe.pending()),
                () -> executor.spawnBackground(Probe.pending()),
                () -> executor.turn(0),
                () -> executor.blockOn(Probe.pending()),
                executor::taskCount,
                () -> {
                    executor.run();
                    return null;
                },
                () -> {
                    task.cancel();
                    return null;
                });
        List<Throwable> thrown = new ArrayList<>();

        ExecutorEndingsTest.onOtherThread(() -> calls.forEach(call -> thrown.add(catchThrowable(call::call))));

        assertThat(thrown)
                .hasSize(calls.size())
                .allSatisfy(t -> assertThat(t)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("\"" + owner + "\"")
                        .hasMessageContaining("\"other\""));
        assertThat(task.isDone()).isFalse();
        assertThat(executor.taskCount()).isEqualTo(1);
    }

    // ---- submit

    @Test
    void submitFromAnotherThreadRunsOnTheExecutorsThread() throws Exception {
        Probe<Void> keepsRunning = Probe.pending();
        Task<Void> keeper = executor.spawn(keepsRunning);
        AtomicReference<CompletableFuture<Thread>> submitted = new AtomicReference<>();
        CountDownLatch dependent = new CountDownLatch(1);
        AtomicReference<Thread> dependentThread = new AtomicReference<>();
        parker.onPark = () -> {
            if (submitted.get() == null) {
                ExecutorEndingsTest.onOtherThread(() -> {
                    CompletableFuture<Thread> future = executor.submit(Async.lazy(() -> {
                        keeper.cancel();
                        return Async.ready(Thread.currentThread());
                    }));
                    future.thenAccept(thread -> {
                        dependentThread.set(Thread.currentThread());
                        dependent.countDown();
                    });
                    submitted.set(future);
                });
            }
        };

        executor.run();

        assertThat(submitted.get().get(0, TimeUnit.SECONDS)).isSameAs(Thread.currentThread());
        assertThat(dependent.await(0, TimeUnit.SECONDS)).isTrue();
        assertThat(dependentThread.get()).isSameAs(Thread.currentThread());
    }

    @Test
    void submittedTasksRunInTheOrderOfSubmission() {
        List<Integer> order = new ArrayList<>();
        ExecutorEndingsTest.onOtherThread(() -> {
            for (int i = 0; i < 1000; i++) {
                int number = i;
                executor.submit(Async.lazy(() -> Async.ready(order.add(number))));
            }
        });

        executor.run();

        assertThat(order).hasSize(1000).isSorted();
    }

    @Test
    void theFailureOfASubmittedTaskReachesItsFutureAndIsNotLogged() {
        try (Logged logged = new Logged("io.thrust.task")) {
            Exception failure = new Exception("checked");
            CompletableFuture<Object> future = executor.submit(Async.failed(failure));

            executor.run();
            executor.close();

            assertThatThrownBy(() -> future.get(0, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCause(failure);
            assertThat(logged.thrown()).isEmpty();
        }
    }

    @Test
    void cancellingTheFutureCancelsTheTaskOnTheExecutorsThread() {
        Probe<Void> probe = Probe.pending();
        AtomicReference<Thread> canceller = new AtomicReference<>();
        probe.onCancel = () -> canceller.set(Thread.currentThread());
        CompletableFuture<Void> future = executor.submit(probe);
        parker.onPark = () -> ExecutorEndingsTest.onOtherThread(() -> future.cancel(true));

        executor.run();

        assertThat(probe.cancels).isEqualTo(1);
        assertThat(canceller.get()).isSameAs(Thread.currentThread());
        assertThat(future).isCancelled();
    }

    @Test
    void theResultOfATaskWhoseFutureWasCompletedOtherwiseIsClosed() {
        TaskTest.Closing result = new TaskTest.Closing();
        CompletableFuture<TaskTest.Closing> future = executor.submit(new YieldOnce().map(none -> result));
        executor.spawn(Async.lazy(() -> Async.ready(future.complete(null))));

        executor.run();

        assertThat(result.closed).isEqualTo(1);
    }

    // ---- races

    @Test
    void everySubmissionThatRacesTheEndOfARunIsRunByItOrByTheNext() throws Exception {
        AtomicInteger ran = new AtomicInteger();
        int rounds = 5_000;
        Thread submitter = new Thread(() -> {
            for (int i = 0; i < rounds; i++) {
                executor.submit(Async.lazy(() -> Async.ready(ran.incrementAndGet())));
            }
        });
        submitter.start();
        while (submitter.isAlive()) {
            executor.spawn(new YieldOnce());
            executor.run();
        }
        executor.run();

        assertThat(ran.get()).isEqualTo(rounds);
    }

    @Test
    void everySubmissionThatRacesCloseEndsOrIsRejected() throws Exception {
        for (int round = 0; round < 3_000; round++) {
            FakeParker parker = new FakeParker();
            LocalExecutor executor = new LocalExecutor(parker);
            AtomicInteger rejected = new AtomicInteger();
            List<CompletableFuture<Void>> accepted = new ArrayList<>();
            List<Probe<Void>> probes = new ArrayList<>();
            CountDownLatch start = new CountDownLatch(1);
            Thread submitter = new Thread(() -> {
                awaitQuietly(start);
                for (int i = 0; i < 5; i++) {
                    Probe<Void> probe = Probe.pending();
                    probes.add(probe);
                    try {
                        accepted.add(executor.submit(probe));
                    } catch (RejectedExecutionException e) {
                        rejected.incrementAndGet();
                    }
                }
            });
            Thread closer = new Thread(() -> {
                awaitQuietly(start);
                executor.close();
            });
            submitter.start();
            closer.start();
            start.countDown();
            try {
                executor.spawn(Probe.pending());
                executor.run();
            } catch (RejectedExecutionException e) {
                // The closer was faster.
            }
            submitter.join();
            closer.join();
            assertThat(executor.awaitClosed(20, TimeUnit.SECONDS)).isTrue();

            assertThat(accepted.size() + rejected.get()).isEqualTo(5);
            assertThat(accepted).allSatisfy(future -> assertThat(future).isCancelled());
            assertThat(probes).allSatisfy(probe -> assertThat(probe.cancels).isEqualTo(1));
        }
    }

    @Test
    void closeByAnotherThreadEndsALoopThatIsParked() throws Exception {
        AtomicReference<Thread> canceller = new AtomicReference<>();
        Probe<Void> task = Probe.pending();
        task.onCancel = () -> canceller.set(Thread.currentThread());
        executor.spawn(task);
        Thread[] closer = {null};
        parker.onPark = () -> {
            if (closer[0] == null) {
                closer[0] = new Thread(executor::close);
                closer[0].start();
            }
        };

        executor.run();

        closer[0].join();
        assertThat(executor.awaitClosed(0, TimeUnit.SECONDS)).isTrue();
        assertThat(canceller.get()).isSameAs(Thread.currentThread());
    }

    @Test
    void closeByAnotherThreadWhileNothingRunsReleasesEverythingBeforeItReturns() {
        Probe<Void> task = Probe.pending();
        executor.spawn(task);
        List<String> order = new ArrayList<>();
        parker.onClosed = () -> order.add("closed");

        ExecutorEndingsTest.onOtherThread(executor::close);

        assertThat(task.cancels).isEqualTo(1);
        assertThat(order).containsExactly("closed");
    }

    @Test
    void twoThreadsThatCloseAtOnceReleaseOnce() throws Exception {
        for (int round = 0; round < 1_000; round++) {
            FakeParker parker = new FakeParker();
            AtomicInteger closed = new AtomicInteger();
            parker.onClosed = closed::incrementAndGet;
            LocalExecutor executor = new LocalExecutor(parker);
            executor.spawn(Probe.pending());
            Thread other = new Thread(executor::close);
            other.start();
            executor.close();
            other.join();

            assertThat(executor.awaitClosed(20, TimeUnit.SECONDS)).isTrue();
            assertThat(closed.get()).isEqualTo(1);
        }
    }

    static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void cancelOutsideOfARunThatRacesCloseByAnotherThreadCancelsOnce() throws Exception {
        for (int round = 0; round < 5_000; round++) {
            LocalExecutor executor = new LocalExecutor(new FakeParker());
            List<Probe<Void>> probes = new ArrayList<>();
            List<Task<Void>> tasks = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                probes.add(Probe.pending());
                tasks.add(executor.spawn(probes.get(i)));
            }
            CountDownLatch start = new CountDownLatch(1);
            Thread closer = new Thread(() -> {
                awaitQuietly(start);
                executor.close();
            });
            closer.start();
            start.countDown();
            tasks.forEach(Task::cancel);
            closer.join();

            assertThat(executor.awaitClosed(20, TimeUnit.SECONDS)).isTrue();
            assertThat(probes).allSatisfy(probe -> assertThat(probe.cancels).isEqualTo(1));
            assertThat(executor.taskCount()).isZero();
        }
    }

    @Test
    void aHandleUsedByAStrangerWhileTheLoopClosesCancelsNothing() {
        Probe<Void> probe = Probe.pending();
        Task<Void> task = executor.spawn(probe);
        executor.spawn(Async.lazy(() -> {
            executor.close();
            ExecutorEndingsTest.onOtherThread(task::cancel);
            assertThat(probe.cancels).isZero();
            return Async.ready(null);
        }));

        executor.run();

        assertThat(probe.cancels).isEqualTo(1);
    }

    @Test
    void theOwnerOfALoopThatAnotherThreadClosedIsToldThatItIsClosed() {
        executor.spawn(Probe.pending());
        ExecutorEndingsTest.onOtherThread(executor::close);

        assertThatThrownBy(executor::run).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> executor.turn(0)).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> executor.blockOn(Probe.pending())).isInstanceOf(RejectedExecutionException.class);
        assertThat(executor.taskCount()).isZero();
    }

    @Test
    void aSubmittedTaskWhoseFutureIsCancelledBeforeItStartsIsNeverPolled() {
        Probe<String> probe = Probe.ready("effect");
        CompletableFuture<String> future = executor.submit(probe);
        future.cancel(false);

        executor.run();

        assertThat(probe.polls).isZero();
        assertThat(probe.cancels).isEqualTo(1);
        assertThat(executor.taskCount()).isZero();
    }
}
