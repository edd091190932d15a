package io.thrust.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A scope ends after its children, and its cancellation and its first failure reach all of them. */
@Timeout(60)
class TaskScopeTest {
    private final LocalExecutor executor = new LocalExecutor(new FakeParker(), () -> 0);

    @Test
    void aScopeWaitsForAllItsChildrenAndHasTheResultOfItsBody() throws Exception {
        List<Task<String>> children = new ArrayList<>();
        String result = executor.blockOn(executor.scope(scope -> {
            for (int i = 0; i < 10; i++) {
                String name = "child " + i;
                children.add(scope.spawn(new Countdown(10 * i).map(none -> name)));
            }
            return Async.ready("body");
        }));

        assertThat(result).isEqualTo("body");
        assertThat(children).allSatisfy(child -> assertThat(child.isDone()).isTrue());
        assertThat(children.get(9).result()).isEqualTo("child 9");
        assertThat(executor.taskCount()).isZero();
    }

    @Test
    void childrenMaySpawnIntoTheScopeAfterTheBodyHasEnded() throws Exception {
        List<Integer> ended = new ArrayList<>();
        executor.blockOn(executor.scope(scope -> {
            scope.spawn(new Countdown(5).map(none -> scope.spawn(new Countdown(5).map(late -> ended.add(1)))));
            return Async.ready(null);
        }));

        assertThat(ended).containsExactly(1);
    }

    @Test
    void theFirstFailureCancelsTheRestAndIsThrownWhenAllHaveEnded() {
        try (Logged logged = new Logged("io.thrust.task")) {
            Probe<Void> sibling = Probe.pending();
            Probe<Void> body = Probe.pending();
            RuntimeException failure = new RuntimeException("first");

            assertThatThrownBy(() -> executor.blockOn(executor.scope(scope -> {
                        scope.spawn(sibling);
                        scope.spawn(new YieldOnce().then(none -> Async.failed(failure)));
                        return body;
                    })))
                    .isSameAs(failure);

            assertThat(List.of(sibling.cancels, body.cancels)).containsExactly(1, 1);
            assertThat(executor.taskCount()).isZero();
            executor.close();
            assertThat(logged.thrown()).isEmpty();
        }
    }

    @Test
    void aBodyThatFailsCancelsTheChildren() {
        Probe<Void> child = Probe.pending();
        RuntimeException failure = new RuntimeException("body");

        assertThatThrownBy(() -> executor.blockOn(executor.scope(scope -> {
                    scope.spawn(child);
                    return new YieldOnce().then(none -> Async.failed(failure));
                })))
                .isSameAs(failure);

        assertThat(child.cancels).isEqualTo(1);
    }

    @Test
    void furtherFailuresAreSuppressed() {
        RuntimeException first = new RuntimeException("first");
        RuntimeException second = new RuntimeException("second");

        assertThatThrownBy(() -> executor.blockOn(executor.scope(scope -> {
                    scope.spawn(Probe.failing(first));
                    scope.spawn(Probe.failing(second));
                    return Probe.pending();
                })))
                .isSameAs(first)
                .hasSuppressedException(second);
    }

    @Test
    void cancellingWhoeverWaitsReachesTheChildrenOfScopesWithinScopes() {
        Probe<Void> inner = Probe.pending();
        Probe<Void> outer = Probe.pending();
        Task<Object> owner = executor.spawn(executor.scope(scope -> {
            scope.spawn(outer);
            scope.spawn(executor.scope(nested -> {
                nested.spawn(inner);
                return Probe.pending();
            }));
            return Probe.pending();
        }));
        executor.turn(0);
        executor.turn(0);
        assertThat(List.of(inner.polls, outer.polls)).containsExactly(1, 1);

        owner.cancel();

        assertThat(List.of(inner.cancels, outer.cancels)).containsExactly(1, 1);
        assertThat(executor.taskCount()).isZero();
    }

    @Test
    void cancellingTheScopeFromAChildEndsAllAndThatChildToo() {
        Probe<Void> sibling = Probe.pending();

        assertThatThrownBy(() -> executor.blockOn(executor.scope(scope -> {
                    scope.spawn(sibling);
                    scope.spawn(new Probe<Void>(waker -> {
                        scope.cancel();
                        assertThatThrownBy(() -> scope.spawn(new YieldOnce()))
                                .isInstanceOf(RejectedExecutionException.class)
                                .hasMessageContaining("cancelled");
                        return Async.PENDING;
                    }));
                    return Probe.pending();
                })))
                .isInstanceOf(CancellationException.class);

        assertThat(sibling.cancels).isEqualTo(1);
        assertThat(executor.taskCount()).isZero();
    }

    @Test
    void aChildThatIsCancelledAloneIsNoFailure() throws Exception {
        assertThat(executor.<String>blockOn(executor.scope(scope -> {
                    scope.spawn(Probe.pending()).cancel();
                    return Async.ready("fine");
                })))
                .isEqualTo("fine");
    }

    @Test
    void resultsThatNobodyTookAreClosedUnlessTheScopeEndsWell() throws Exception {
        TaskTest.Closing kept = new TaskTest.Closing();
        List<Task<TaskTest.Closing>> handles = new ArrayList<>();
        executor.blockOn(executor.scope(scope -> {
            handles.add(scope.spawn(Async.ready(kept)));
            return Async.ready(null);
        }));
        assertThat(handles.get(0).result()).isSameAs(kept);
        assertThat(kept.closed).isZero();

        TaskTest.Closing lost = new TaskTest.Closing();
        TaskTest.Closing lostBody = new TaskTest.Closing();
        assertThatThrownBy(() -> executor.blockOn(executor.scope(scope -> {
                    scope.spawn(Async.ready(lost));
                    scope.spawn(new Countdown(5).then(none -> Async.failed(new Exception("late"))));
                    return Async.ready(lostBody);
                })))
                .hasRootCauseMessage("late");
        assertThat(List.of(lost.closed, lostBody.closed)).containsExactly(1, 1);
    }

    @Test
    void aScopeThatHasEndedRefusesChildrenAndCancelsThem() throws Exception {
        List<TaskScope> scopes = new ArrayList<>();
        executor.blockOn(executor.scope(scope -> Async.ready(scopes.add(scope))));
        Probe<Void> late = Probe.pending();

        assertThatThrownBy(() -> scopes.get(0).spawn(late)).isInstanceOf(RejectedExecutionException.class);

        assertThat(late.cancels).isEqualTo(1);
    }

    @Test
    void closingTheExecutorEndsScopesAndTheirChildren() {
        Probe<Void> child = Probe.pending();
        executor.spawn(executor.scope(scope -> {
            scope.spawn(child);
            return Probe.pending();
        }));
        executor.turn(0);

        executor.close();

        assertThat(child.cancels).isEqualTo(1);
        assertThat(executor.taskCount()).isZero();
    }
}
