package io.thrust.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.ref.WeakReference;
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

    @Test
    void aChildThatThrowsACancellationOfSomethingElseHasFailed() {
        CancellationException thrown = new CancellationException("of what the child waited for");
        Probe<Void> sibling = Probe.pending();

        assertThatThrownBy(() -> executor.blockOn(executor.scope(scope -> {
                    scope.spawn(sibling);
                    scope.spawn(Async.failed(thrown));
                    return Probe.pending();
                })))
                .isSameAs(thrown);

        assertThat(sibling.cancels).isEqualTo(1);
    }

    @Test
    void aFailureThatNobodyWaitsForAnyMoreIsLoggedOnce() {
        try (Logged logged = new Logged("io.thrust.task")) {
            RuntimeException failure = new RuntimeException("child");
            Waker[] waker = {null};
            boolean[] fail = {false};
            Task<Object> waiting = executor.spawn(executor.scope(scope -> {
                scope.spawn(new Probe<>(w -> {
                    waker[0] = w;
                    if (fail[0]) {
                        throw failure;
                    }
                    return false;
                }));
                return Probe.pending();
            }));
            executor.turn(0);
            executor.turn(0);
            fail[0] = true;
            waker[0].wake();
            // The child fails, and before the scope is polled whoever waits for it is cancelled.
            executor.spawn(Async.lazy(() -> {
                waiting.cancel();
                return Async.ready(null);
            }));

            executor.turn(0);

            assertThat(waiting.isCancelled()).isTrue();
            assertThat(logged.thrown()).containsExactly(failure);
            executor.close();
            assertThat(logged.thrown()).containsExactly(failure);
        }
    }

    @Test
    void aScopeThatLivesLongKeepsNoResultThatWasTakenOrGivenUp() {
        int[] closed = {0};
        List<WeakReference<AutoCloseable>> results = new ArrayList<>();
        Probe<Void> body = Probe.pending();
        TaskScope[] opened = {null};
        executor.spawn(executor.scope(scope -> {
            opened[0] = scope;
            return body;
        }));
        executor.turn(0);
        for (int i = 0; i < 3_000; i++) {
            Task<AutoCloseable> child = opened[0].spawn(Async.lazy(() -> {
                AutoCloseable result = new AutoCloseable() {
                    @Override
                    public void close() {
                        closed[0]++;
                    }
                };
                results.add(new WeakReference<>(result));
                return Async.ready(result);
            }));
            if (i % 3 == 0) {
                child.detach();
            } else if (i % 3 == 1) {
                opened[0].spawn(child.join().map(result -> null));
            }
            executor.turn(0);
            if (i % 3 == 2 && i > 30) {
                child.detach();
            }
        }
        assertThat(closed[0]).isEqualTo(1_990);
        long start = System.nanoTime();
        do {
            System.gc();
        } while (alive(results) > 100 && System.nanoTime() - start < 20_000_000_000L);
        // Those that somebody may still take, and few more.
        assertThat(alive(results)).isBetween(10L, 100L);

        executor.close();
        assertThat(closed[0]).isEqualTo(2_000);
    }

    private static long alive(List<WeakReference<AutoCloseable>> results) {
        return results.stream().filter(result -> result.get() != null).count();
    }

    @Test
    void aJoinersWakerThatThrowsKeepsNoScopeFromEnding() throws Exception {
        try (Logged logged = new Logged("io.thrust.task")) {
            Task<Object> waiting = executor.spawn(executor.scope(scope -> {
                Task<Void> child = scope.spawn(new Countdown(2));
                try {
                    child.join().poll(() -> {
                        throw new StackOverflowError();
                    });
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
                return Async.ready("done");
            }));
            for (int i = 0; i < 6; i++) {
                executor.turn(0);
            }

            assertThat(waiting.result()).isEqualTo("done");
            assertThat(logged.thrown()).hasSize(1);
        }
    }
}
