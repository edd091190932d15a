package io.thrust.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Closeable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Handles: joining, cancelling, detaching, and what becomes of outcomes that nobody takes. */
@Timeout(60)
class TaskTest {
    private final FakeParker parker = new FakeParker();
    private final LocalExecutor executor = new LocalExecutor(parker, () -> 0);

    // ---- join

    @Test
    void joinHasTheResultOfATaskThatEndsLater() throws Exception {
        Task<String> task = executor.spawn(new Countdown(10).map(none -> "result"));

        assertThat(executor.<String>blockOn(task.join())).isEqualTo("result");
    }

    @Test
    void joinHasTheResultOfATaskThatEndedBefore() throws Exception {
        Task<String> task = executor.spawn(Async.ready("result"));
        executor.run();

        assertThat(executor.<String>blockOn(task.join())).isEqualTo("result");
    }

    @Test
    void joinThrowsWhatTheTaskThrew() {
        IllegalArgumentException failure = new IllegalArgumentException("task");
        Task<Object> task = executor.spawn(new YieldOnce().then(none -> Async.failed(failure)));

        assertThatThrownBy(() -> executor.blockOn(task.join())).isSameAs(failure);
    }

    @Test
    void joinOfACancelledTaskThrowsCancellation() {
        Task<Object> task = executor.spawn(Probe.pending());
        executor.spawn(new YieldOnce().map(none -> {
            task.cancel();
            return none;
        }));

        assertThatThrownBy(() -> executor.blockOn(task.join())).isInstanceOf(CancellationException.class);
        assertThat(task.isCancelled()).isTrue();
    }

    @Test
    void theJoinerIsPolledOnceAtTheStartAndOnceAtTheEnd() {
        Task<?> task = executor.spawn(new Countdown(20));
        int[] polls = {0};
        Async<?> join = task.join();
        executor.spawn(new Probe<Void>(waker -> {
            polls[0]++;
            return join.poll(waker);
        }));

        executor.run();

        assertThat(polls[0]).isEqualTo(2);
    }

    @Test
    void aSecondJoinAtTheSameTimeIsRefusedAndHarmsNotTheFirst() throws Exception {
        Task<String> task = executor.spawn(new Countdown(100).map(none -> "result"));
        Task<String> first = executor.spawn(task.join());
        Task<String> second = executor.spawn(task.join());

        executor.run();

        assertThat(first.result()).isEqualTo("result");
        assertThatThrownBy(second::result)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("being joined");
    }

    @Test
    void cancellingAJoinDetachesTheTaskWhichRunsOn() {
        Countdown countdown = new Countdown(1000);
        Closing result = new Closing();
        Task<Closing> task = executor.spawn(countdown.map(none -> result));
        Task<Closing> joiner = executor.spawn(task.join());
        executor.turn(0);
        joiner.cancel();
        assertThat(task.isDone()).isFalse();

        executor.run();

        assertThat(task.isDone()).isTrue();
        assertThat(result.closed).isEqualTo(1);
        assertThatThrownBy(task::join).isInstanceOf(IllegalStateException.class).hasMessageContaining("detached");
    }

    // ---- cancel

    @Test
    void cancelEndsATaskThatWaits() {
        Probe<Void> waiting = Probe.pending();
        Task<Void> task = executor.spawn(waiting);
        executor.turn(0);

        task.cancel();
        task.cancel();

        assertThat(waiting.cancels).isEqualTo(1);
        assertThat(task.isDone()).isTrue();
        assertThat(executor.taskCount()).isZero();
    }

    @Test
    void aTaskThatIsCancelledBeforeItsFirstPollIsNeverPolled() {
        Probe<Void> fresh = Probe.pending();
        Task<Void> task = executor.spawn(fresh);

        task.cancel();
        executor.run();

        assertThat(fresh.polls).isZero();
        assertThat(fresh.cancels).isEqualTo(1);
    }

    @Test
    void cancelDuringTheOwnPollTakesEffectWhenThatPollReturns() {
        List<Task<Void>> self = new ArrayList<>();
        List<Integer> cancelsDuringPoll = new ArrayList<>();
        Probe<Void>[] probe = probes(1);
        probe[0] = new Probe<>(waker -> {
            self.get(0).cancel();
            waker.wake();
            cancelsDuringPoll.add(probe[0].cancels);
            return Async.PENDING;
        });
        self.add(executor.spawn(probe[0]));

        executor.run();

        assertThat(cancelsDuringPoll).containsExactly(0);
        assertThat(probe[0].cancels).isEqualTo(1);
        assertThat(probe[0].polls).isEqualTo(1);
        assertThat(self.get(0).isCancelled()).isTrue();
    }

    @Test
    void cancelDuringTheOwnLastPollIsTooLate() throws Exception {
        List<Task<String>> self = new ArrayList<>();
        Probe<String> probe = new Probe<>(waker -> {
            self.get(0).cancel();
            return Async.READY;
        });
        probe.result = "result";
        self.add(executor.spawn(probe));

        executor.run();

        assertThat(self.get(0).result()).isEqualTo("result");
        assertThat(probe.cancels).isZero();
    }

    @Test
    void aTaskMayCancelOthersReadyOnesIncluded() {
        Probe<Void> later = Probe.pending();
        List<Task<Void>> handles = new ArrayList<>();
        executor.spawn(Async.lazy(() -> {
            handles.get(0).cancel();
            return Async.ready(null);
        }));
        handles.add(executor.spawn(later));

        executor.run();

        assertThat(later.polls).isZero();
        assertThat(later.cancels).isEqualTo(1);
    }

    @Test
    void cancellingEachOtherEndsBoth() {
        Probe<Void> first = Probe.pending();
        Probe<Void> second = Probe.pending();
        Task<Void> firstTask = executor.spawn(first);
        Task<Void> secondTask = executor.spawn(second);
        first.onCancel = secondTask::cancel;
        second.onCancel = firstTask::cancel;

        firstTask.cancel();

        assertThat(List.of(first.cancels, second.cancels)).containsExactly(1, 1);
        assertThat(executor.taskCount()).isZero();
    }

    @Test
    void cancelOfATaskThatEndedDoesNothing() throws Exception {
        Task<String> task = executor.spawn(Async.ready("result"));
        executor.run();

        task.cancel();

        assertThat(task.isCancelled()).isFalse();
        assertThat(task.result()).isEqualTo("result");
    }

    // ---- results and failures

    @Test
    void theResultOfARunningTaskIsRefused() {
        Task<Void> task = executor.spawn(Probe.pending());

        assertThatThrownBy(task::result)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("not ended");
    }

    @Test
    void aDetachedTaskRunsOnAndItsResultIsClosed() {
        Closing result = new Closing();
        Task<Closing> early = executor.spawn(Async.ready(result));
        early.detach();
        executor.run();
        assertThat(result.closed).isEqualTo(1);

        Closing second = new Closing();
        Task<Closing> late = executor.spawn(Async.ready(second));
        executor.run();
        assertThat(second.closed).isZero();
        late.detach();
        late.detach();
        assertThat(second.closed).isEqualTo(1);
        assertThatThrownBy(late::result).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void theFailureOfADetachedTaskIsLoggedAtOnceAndOnce() {
        try (Logged logged = new Logged("io.thrust.task")) {
            RuntimeException failure = new RuntimeException("nobody cares");
            executor.spawn(Probe.failing(failure)).detach();

            executor.run();
            assertThat(logged.thrown()).containsExactly(failure);

            executor.close();
            assertThat(logged.thrown()).containsExactly(failure);
        }
    }

    @Test
    void aFailureThatNobodyAskedForIsLoggedOnceWhenTheExecutorCloses() {
        try (Logged logged = new Logged("io.thrust.task")) {
            RuntimeException failure = new RuntimeException("nobody asked");
            executor.spawn(Probe.failing(failure));

            executor.run();
            assertThat(logged.thrown()).isEmpty();

            executor.close();
            assertThat(logged.thrown()).containsExactly(failure);
        }
    }

    @Test
    void neitherAFailureThatWasAskedForNorACancellationIsLogged() {
        try (Logged logged = new Logged("io.thrust.task")) {
            Task<Object> failing = executor.spawn(Probe.failing(new RuntimeException("asked for")));
            executor.spawn(Probe.pending()).cancel();

            executor.run();
            assertThatThrownBy(failing::result).hasMessage("asked for");
            executor.close();

            assertThat(logged.thrown()).isEmpty();
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Probe<Void>[] probes(int count) {
        return new Probe[count];
    }

    static final class Closing implements Closeable {
        int closed;

        @Override
        public void close() {
            closed++;
        }
    }

    @Test
    void aJoinersWakerThatThrowsAnErrorAndAResultThatCannotBeClosedHarmNoOtherTask() throws Exception {
        try (Logged logged = new Logged("io.thrust.task")) {
            Error wakerError = new AssertionError("waker");
            Error closeError = new AssertionError("close");
            Task<?> joined = executor.spawn(new Countdown(1));
            assertThat(joined.join().poll(() -> {
                        throw wakerError;
                    }))
                    .isFalse();
            executor.spawn(Async.<Closeable>ready(() -> {
                        throw closeError;
                    }))
                    .detach();
            Task<String> other = executor.spawn(new Countdown(10).map(none -> "fine"));

            executor.run();

            assertThat(other.result()).isEqualTo("fine");
            assertThat(logged.thrown()).containsExactlyInAnyOrder(wakerError, closeError);
        }
    }

    @Test
    void failuresThatWereAskedForPushNoOtherOutBeforeItsTime() {
        try (Logged logged = new Logged("io.thrust.task")) {
            RuntimeException kept = new RuntimeException("kept");
            Task<Object> task = executor.spawn(Probe.failing(kept));
            for (int i = 0; i < 200; i++) {
                Exception failure = new Exception("asked for " + i);
                Task<Object> other = executor.spawn(Probe.failing(failure));
                executor.submit(Probe.failing(failure));
                executor.run();
                assertThatThrownBy(other::result).isSameAs(failure);
            }
            assertThat(logged.thrown()).isEmpty();

            assertThatThrownBy(task::result).isSameAs(kept);
            executor.close();
            assertThat(logged.thrown()).isEmpty();
        }
    }

    @Test
    void detachingATaskThatIsBeingJoinedFailsTheJoinAndDoesNotStrandIt() {
        Task<?> task = executor.spawn(new Countdown(1000));
        Task<?> joiner = executor.spawn(task.join());
        executor.turn(0);

        task.detach();
        executor.run();

        assertThat(task.isDone()).isTrue();
        assertThatThrownBy(joiner::result)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("detached");
    }

    @Test
    void cancellingAJoinThatNeverHeldTheTaskLeavesItToTheOneThatDoes() throws Exception {
        Task<String> task = executor.spawn(new Countdown(1000).map(none -> "result"));
        Task<String> joiner = executor.spawn(task.join());
        executor.turn(0);
        Async<String> refused = task.join();
        assertThatThrownBy(() -> refused.poll(() -> {})).isInstanceOf(IllegalStateException.class);

        refused.cancel();
        task.join().cancel();
        executor.run();

        assertThat(joiner.result()).isEqualTo("result");
    }

    @Test
    void cancellingAJoinOfATaskThatEndedClosesTheResult() {
        Closing result = new Closing();
        Task<Closing> task = executor.spawn(Async.ready(result));
        executor.run();

        task.join().cancel();

        assertThat(result.closed).isEqualTo(1);
    }

    @Test
    void aThrowableThatIsNeitherExceptionNorErrorIsWrapped() {
        Throwable odd = new Throwable("odd");
        Task<Object> task = executor.spawn(new Probe<>(waker -> TaskTest.<RuntimeException>sneak(odd)));

        executor.run();

        assertThatThrownBy(task::result).isInstanceOf(CompletionException.class).hasCause(odd);
    }

    @SuppressWarnings("unchecked")
    private static <X extends Throwable> boolean sneak(Throwable thrown) throws X {
        throw (X) thrown;
    }

    @Test
    void aResultThatSomebodyTookIsNotClosedByAnotherHandle() throws Exception {
        Closing result = new Closing();
        Task<Closing> task = executor.spawn(Async.ready(result));
        executor.run();
        assertThat(task.result()).isSameAs(result);

        task.join().cancel();
        task.detach();

        assertThat(result.closed).isZero();
    }

    @Test
    void aResultThatAWokenJoinIsAboutToTakeIsNotClosedByAnotherJoin() throws Exception {
        Closing result = new Closing();
        Task<Closing> task = executor.spawn(new YieldOnce().map(none -> result));
        Async<Closing> waiting = task.join();
        assertThat(waiting.poll(() -> {})).isFalse();
        executor.run();

        task.join().cancel();

        assertThat(waiting.poll(() -> {})).isTrue();
        assertThat(waiting.result()).isSameAs(result);
        assertThat(result.closed).isZero();
    }
}
