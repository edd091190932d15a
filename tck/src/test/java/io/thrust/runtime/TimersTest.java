package io.thrust.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thrust.AsyncTimeoutException;
import io.thrust.EventLoop;
import io.thrust.Timers;
import io.thrust.poll.Poller;
import io.thrust.poll.PollerProvider;
import io.thrust.task.Async;
import io.thrust.task.Task;
import io.thrust.task.YieldOnce;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Sleeping and timeouts on a running loop. */
@OnEveryBackend
class TimersTest extends LoopTest {
    TimersTest(PollerProvider provider) {
        super(provider);
    }

    @Test
    void sleepersWakeInTheOrderOfTheirTimesAndNeverEarly() {
        List<Integer> order = new ArrayList<>();
        for (int millis : new int[] {30, 10, 20, 0, 10}) {
            long start = System.nanoTime();
            loop.spawn(Timers.sleep(Duration.ofMillis(millis)).map(none -> {
                long late = System.nanoTime() - start - TimeUnit.MILLISECONDS.toNanos(millis);
                assertThat(late).isGreaterThanOrEqualTo(0).isLessThan(PATIENCE);
                return order.add(millis);
            }));
        }

        loop.run();

        assertThat(order).containsExactly(0, 10, 10, 20, 30);
    }

    @Test
    void zeroAndNegativeTimesWaitForTheNextTurnAndNotLonger() throws IOException {
        List<String> order = new ArrayList<>();
        for (Duration duration : List.of(Duration.ZERO, Duration.ofDays(-1), Duration.ofSeconds(Long.MIN_VALUE))) {
            loop.spawn(Timers.sleep(duration).map(none -> order.add("slept")));
        }
        loop.spawn(Async.lazy(() -> Async.ready(order.add("ready"))));

        loop.run();

        assertThat(order).containsExactly("ready", "slept", "slept", "slept");
    }

    @Test
    void hugeTimesNeitherFireNorThrow() throws IOException {
        List<Task<?>> sleepers = new ArrayList<>();
        for (Duration duration : List.of(
                Duration.ofSeconds(Long.MAX_VALUE), Duration.ofNanos(Long.MAX_VALUE), Duration.ofDays(365 * 200))) {
            sleepers.add(loop.spawnBackground(Timers.sleep(duration)));
        }

        loop.blockOn(Timers.sleep(Duration.ofMillis(20)));

        assertThat(sleepers).allMatch(Task::isCancelled);
        assertThat(loop.reactor().timers().size()).isZero();
    }

    @Test
    void cancelledSleepsLeaveNoTimer() {
        for (int i = 0; i < 100_000; i++) {
            Task<?> sleep = loop.spawn(Timers.sleep(Duration.ofHours(1)));
            if (i % 100 == 0) {
                loop.turn(0);
            }
            sleep.cancel();
        }
        assertThat(loop.reactor().timers().size()).isZero();
        assertThat(loop.executor().taskCount()).isZero();
    }

    @Test
    void aShorterTimerFromAnotherThreadShortensTheWait() throws Exception {
        Task<?> longSleep = loop.spawn(Timers.sleep(Duration.ofHours(1)));
        AtomicReference<CompletableFuture<Void>> submitted = new AtomicReference<>();
        loop.spawn(new YieldOnce()
                .map(none -> start(
                        "submitter",
                        () -> submitted.set(loop.submit(
                                () -> Timers.sleep(Duration.ofMillis(5)).map(alsoNone -> {
                                    longSleep.cancel();
                                    return alsoNone;
                                }))))));

        loop.run();

        assertThat(longSleep.isCancelled()).isTrue();
    }

    @Test
    void aTimeoutThatIsDueTogetherWithTheResultLetsTheResultWin() throws IOException {
        long[] now = {0};
        loop.close();
        loop = EventLoop.builder().provider(provider).clock(() -> now[0]).open();
        Async<String> result = new YieldOnce().map(none -> {
            now[0] += TimeUnit.HOURS.toNanos(1);
            return "result";
        });

        assertThat(loop.<String>blockOn(Timers.timeout(Duration.ofMinutes(1), result)))
                .isEqualTo("result");
        assertThat(loop.reactor().timers().size()).isZero();
    }

    @Test
    void aTimeoutCancelsWhatIsUnderWayAndLeavesTheStreamUsable() throws IOException {
        Pair pair = pair();
        assertThatThrownBy(() -> loop.blockOn(Timers.timeout(Duration.ofMillis(5), fill(pair.server(), 10))))
                .isInstanceOf(AsyncTimeoutException.class);

        loop.blockOn(pair.client().writeAll(bytes("late")));

        assertThat(loop.blockOn(
                        Timers.timeout(Duration.ofHours(1), pair.server().read(ByteBuffer.allocate(10)))))
                .isEqualTo(4);
        assertThat(loop.reactor().timers().size()).isZero();
    }

    @Test
    void aTimeoutPassesTheFailureOnAndLeavesNoTimer() {
        IOException failure = new IOException("inner");
        assertThatThrownBy(() -> loop.blockOn(
                        Timers.timeout(Duration.ofHours(1), new YieldOnce().then(none -> Async.failed(failure)))))
                .isSameAs(failure);
        assertThat(loop.reactor().timers().size()).isZero();
    }

    @Test
    void aLoopThatOnlySleepsHardlyPolls() throws IOException {
        AtomicInteger polls = new AtomicInteger();
        loop.close();
        loop = EventLoop.open(new Named(provider) {
            @Override
            public Poller openPoller(int batchCapacity) throws IOException {
                return CountingPoller.over(super.openPoller(batchCapacity), polls);
            }
        });
        loop.blockOn(Timers.sleep(Duration.ofSeconds(1)));
        assertThat(polls.get()).isBetween(1, 4);
    }

    @Test
    void aTimeoutReadsAsAnOperator() throws IOException {
        Pair pair = pair();
        assertThatThrownBy(() -> loop.blockOn(pair.server()
                        .read(ByteBuffer.allocate(10))
                        .transform(Timers.timeout(Duration.ofMillis(5)))
                        .map(read -> read + 1)))
                .isInstanceOf(AsyncTimeoutException.class);
        assertThat(loop.<Integer>blockOn(Async.ready(1)
                        .transform(Timers.timeout(Duration.ofHours(1)))
                        .map(one -> one + 1)))
                .isEqualTo(2);
    }

    @Test
    void timersAreMadeInsideOfTasks() {
        assertThatThrownBy(() -> Timers.timer(Duration.ofSeconds(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no event loop");
    }
}
