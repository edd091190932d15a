package io.thrust.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Names reach logs, errors and descriptions; priorities decide the order and starve nobody. */
@Timeout(60)
class TaskOptionsTest {
    private final FakeParker parker = new FakeParker();
    private final LocalExecutor executor = new LocalExecutor(parker, () -> 0);

    // ---- names

    @Test
    void theNameIsInTheLogOfAFailureThatNobodyAskedFor() {
        try (Logged logged = new Logged("io.thrust.task")) {
            executor.spawn("resolver", Probe.failing(new RuntimeException("lost")))
                    .detach();
            executor.run();

            assertThat(logged.messages()).singleElement().asString().contains("\"resolver\"");
        }
    }

    @Test
    void theNameIsInTheCancellationAndInTheHandle() {
        Task<Void> task = executor.spawn("resolver", Probe.pending());
        assertThat(task).hasToString("task \"resolver\" (running)");

        task.cancel();

        assertThatThrownBy(task::result)
                .isInstanceOf(CancellationException.class)
                .hasMessageContaining("\"resolver\"");
        assertThat(task).hasToString("task \"resolver\" (cancelled)");
        assertThat(task.name()).isEqualTo("resolver");
    }

    @Test
    void theTasksAreDescribedYoungestFirst() {
        executor.spawn("waits", Probe.pending());
        executor.turn(0);
        executor.spawn(TaskOptions.named("ready").withPriority(Priority.HIGH).withBackground(true), Probe.pending());
        executor.spawn(Probe.pending());

        List<String> lines = executor.describeTasks();

        assertThat(lines).hasSize(3);
        assertThat(lines.get(0)).startsWith("(no name), normal, counted, ready").contains("Probe");
        assertThat(lines.get(1)).startsWith("\"ready\", high, background, ready");
        assertThat(lines.get(2)).startsWith("\"waits\", normal, counted, waiting");
    }

    // ---- priorities

    private static Async<Object> forEver(List<Priority> polls, Priority priority, int most) {
        return new Probe<>(waker -> {
            polls.add(priority);
            waker.wake();
            return polls.size() >= most;
        });
    }

    @Test
    void whileAllAreAlwaysReadyEachPriorityHasItsShare() {
        List<Priority> polls = new ArrayList<>();
        for (Priority priority : Priority.values()) {
            executor.spawn(TaskOptions.DEFAULT.withPriority(priority), forEver(polls, priority, 3200));
        }

        executor.run();

        assertThat(longestRunWithout(Priority.LOW, polls)).isEqualTo(Priority.POLLS_PER_LOW - 1);
        // One low poll may come between.
        assertThat(longestRunWithout(Priority.NORMAL, polls)).isBetween(7, Priority.POLLS_PER_NORMAL);
        assertThat(polls.stream().filter(Priority.HIGH::equals).count()).isGreaterThan(2500);
    }

    private static int longestRunWithout(Priority priority, List<Priority> polls) {
        int longest = 0;
        int run = 0;
        for (Priority poll : polls.subList(0, 3200)) {
            run = poll == priority ? 0 : run + 1;
            longest = Math.max(longest, run);
        }
        return longest;
    }

    @Test
    void aHighTaskIsPolledBeforeNormalOnesThatWereReadyBefore() {
        List<Priority> polls = new ArrayList<>();
        for (Priority priority : List.of(Priority.LOW, Priority.NORMAL, Priority.HIGH)) {
            executor.spawn(
                    TaskOptions.DEFAULT.withPriority(priority), Async.lazy(() -> Async.ready(polls.add(priority))));
        }

        executor.run();

        assertThat(polls).containsExactly(Priority.HIGH, Priority.NORMAL, Priority.LOW);
    }

    @Test
    void aLowTaskThatIsAloneIsPolledAtOnceAndKeepsTheLoopFromParking() {
        executor.spawn(TaskOptions.DEFAULT.withPriority(Priority.LOW), new Countdown(10));

        executor.run();

        assertThat(parker.waits).isZero();
    }

    // ---- waiting for the end

    @Test
    void awaitClosedInsideATaskIsRefused() throws Exception {
        executor.blockOn(Async.lazy(() -> {
            assertThatThrownBy(() -> executor.awaitClosed(1, TimeUnit.HOURS))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("own thread");
            return Async.ready(null);
        }));
        executor.close();

        assertThat(executor.awaitClosed(0, TimeUnit.SECONDS)).isTrue();
    }
}
