package io.thrust.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thrust.DeadlineTimer;
import io.thrust.EventLoop;
import io.thrust.Interval;
import io.thrust.MissedTicks;
import io.thrust.Timers;
import io.thrust.poll.Poller;
import io.thrust.poll.PollerProvider;
import io.thrust.task.Async;
import io.thrust.task.Task;
import io.thrust.task.Waker;
import io.thrust.task.YieldOnce;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Timers on a running loop whose clock goes on only while the loop waits, at once, past the overflow of its range. */
@OnEveryBackend
class VirtualTimeTest extends LoopTest {
    private static final long MILLI = 1_000_000;
    private static final long START = Long.MAX_VALUE - 50 * MILLI;

    private long now = START;
    /** How long the loop meant to wait, in nanoseconds. */
    private final List<Long> waits = new ArrayList<>();

    VirtualTimeTest(PollerProvider provider) {
        super(provider);
    }

    @BeforeEach
    void openWithVirtualTime() throws IOException {
        loop.close();
        PollerProvider hasty = new Named(provider) {
            @Override
            public Poller openPoller(int batchCapacity) throws IOException {
                return hasty(super.openPoller(batchCapacity));
            }
        };
        loop = EventLoop.builder().provider(hasty).clock(() -> now).open();
    }

    /** Instead of waiting it moves the clock on. */
    private Poller hasty(Poller poller) {
        return (Poller) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Poller.class}, (proxy, method, arguments) -> {
                    try {
                        if (!method.getName().equals("poll")) {
                            return method.invoke(poller, arguments);
                        }
                        long wait = (Long) arguments[0];
                        assertThat(wait).as("a wait that nothing would end").isNotNegative();
                        if (wait > 0) {
                            waits.add(wait);
                            now += wait;
                        }
                        return method.invoke(poller, 0L);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private Async<Void> sleep(long millis) {
        return Timers.sleep(Duration.ofMillis(millis));
    }

    private long elapsedMillis() {
        return (now - START) / MILLI;
    }

    // ---- sleepUntil

    @Test
    void aSleepUntilATimeEndsAtItAndOneUntilThePastWithTheNextTurn() throws IOException {
        List<String> order = new ArrayList<>();
        loop.blockOn(Async.lazy(() -> {
            long start = loop.nanoTime();
            loop.spawn(Timers.sleepUntil(start + 80 * MILLI).map(none -> {
                assertThat(loop.nanoTime() - start).isGreaterThanOrEqualTo(80 * MILLI);
                return order.add("at 80");
            }));
            loop.spawn(Timers.sleepUntil(start - 1).map(none -> order.add("past")));
            loop.spawn(Timers.sleepUntil(start + Long.MIN_VALUE + 1).map(none -> order.add("long past")));
            loop.spawn(Timers.sleepUntil(start).map(none -> order.add("now")));
            loop.spawn(Async.lazy(() -> Async.ready(order.add("at once"))));
            loop.spawnBackground(Timers.sleepUntil(start + Long.MAX_VALUE).map(none -> order.add("never")));
            return sleep(200);
        }));
        assertThat(order).containsExactly("at once", "past", "long past", "now", "at 80");
    }

    // ---- intervals

    @Test
    void aHundredTicksDoNotDrift() throws IOException {
        for (MissedTicks missed : MissedTicks.values()) {
            Interval interval = Timers.interval(Duration.ofMillis(10), missed);
            List<Long> ticks = new ArrayList<>();
            long[] start = new long[1];
            loop.blockOn(Async.lazy(() -> {
                start[0] = loop.nanoTime();
                // Each tick is followed by work that takes a part of the period.
                return Async.repeat(
                        100,
                        () -> interval.tick().then(due -> {
                            assertThat(loop.nanoTime() - due).isGreaterThanOrEqualTo(0);
                            ticks.add(due);
                            return sleep(3);
                        }));
            }));
            assertThat(ticks)
                    .as(missed.name())
                    .containsExactlyElementsOf(LongStream.rangeClosed(1, 100)
                            .map(i -> start[0] + i * 10 * MILLI)
                            .boxed()
                            .toList());
        }
    }

    /** The due times of six ticks in milliseconds, where 35 pass after the first and none after the others. */
    private List<Long> afterALateTick(MissedTicks missed) throws IOException {
        Interval interval = Timers.interval(Duration.ofMillis(10), missed);
        List<Long> ticks = new ArrayList<>();
        long start = now;
        loop.blockOn(Async.repeat(
                6,
                () -> interval.tick().map(due -> {
                    ticks.add((due - start) / MILLI);
                    if (ticks.size() == 1) {
                        now += 35 * MILLI;
                    }
                    return due;
                })));
        return ticks;
    }

    @Test
    void missedTicksAreGivenAtOnceOrPutOffOrLeftOut() throws IOException {
        assertThat(afterALateTick(MissedTicks.BURST)).containsExactly(10L, 20L, 30L, 40L, 50L, 60L);
        assertThat(afterALateTick(MissedTicks.DELAY)).containsExactly(10L, 20L, 55L, 65L, 75L, 85L);
        assertThat(afterALateTick(MissedTicks.SKIP)).containsExactly(10L, 20L, 50L, 60L, 70L, 80L);
    }

    @Test
    void ticksThatAreDueInABurstLetOthersHaveTheirTurn() throws IOException {
        Interval interval = Timers.interval(Duration.ofNanos(1));
        loop.blockOn(interval.tick());
        now += MILLI; // a million ticks are due
        int[] turns = {0};
        int[] ticks = {0};
        loop.spawnBackground(Async.loop(() -> interval.tick().map(due -> ++ticks[0] > 0)));
        loop.blockOn(Async.loop(() -> new YieldOnce().map(none -> ++turns[0] < 10)));
        assertThat(ticks[0]).isBetween(100, 10_000);
    }

    @Test
    void aCancelledTickIsTheNextOnesAndASecondOneIsRefused() throws IOException {
        Interval interval = Timers.interval(Duration.ofMillis(10));
        loop.blockOn(Async.lazy(() -> {
            long start = loop.nanoTime();
            Task<Long> first = loop.spawn(interval.tick());
            Task<Long> second = loop.spawn(interval.tick());
            return second.join()
                    .map(due -> "a tick")
                    .recover(IllegalStateException.class, e -> Async.ready(e.getMessage()))
                    .then(message -> {
                        assertThat(message).contains("one at a time");
                        first.cancel();
                        assertThat(loop.reactor().timers().size()).isZero();
                        return interval.tick();
                    })
                    .map(due -> assertThat(due - start).isBetween(10 * MILLI, 12 * MILLI));
        }));
    }

    @Test
    void veryLongPeriodsNeverTickAndOthersThanPositiveOnesAreRefused() throws IOException {
        Task<Long> never = loop.spawnBackground(
                Timers.interval(Duration.ofSeconds(Long.MAX_VALUE)).tick());
        loop.blockOn(sleep(100));
        assertThat(never.isCancelled()).isTrue();
        for (Duration period : List.of(Duration.ZERO, Duration.ofNanos(-1), Duration.ofSeconds(Long.MIN_VALUE))) {
            assertThatThrownBy(() -> Timers.interval(period))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(period.toString());
        }
    }

    // ---- timers that are moved

    @Test
    void aTimerThatIsMovedWhileSomebodyWaitsFiresAtItsNewDeadlineAlone() throws IOException {
        loop.blockOn(Async.lazy(() -> {
            DeadlineTimer later = Timers.timer(Duration.ofMillis(20));
            DeadlineTimer sooner = Timers.timer(Duration.ofMillis(100));
            Async<Long> laterFired = later.expired().map(none -> elapsedMillis());
            Async<Long> soonerFired = sooner.expired().map(none -> elapsedMillis());
            Async<Long> moves = sleep(10).map(none -> {
                later.reset(Duration.ofMillis(70));
                sooner.reset(Duration.ofMillis(30));
                return elapsedMillis();
            });
            return Async.joinAll(List.of(moves, laterFired, soonerFired)).map(times -> {
                long moved = times.get(0);
                assertThat(times.get(1) - moved).isBetween(70L, 72L);
                assertThat(times.get(2) - moved).isBetween(30L, 32L);
                assertThat(later.isExpired()).isTrue();
                return times;
            });
        }));
        assertThat(loop.reactor().timers().size()).isZero();
    }

    @Test
    void aTimerThatHasExpiredIsReadyAtOnceAndCanBeResetAndWaitedForAgain() throws IOException {
        loop.blockOn(Async.lazy(() -> {
            DeadlineTimer timer = Timers.timer(Duration.ofMillis(5));
            long[] expired = new long[1];
            return timer.expired()
                    .then(none -> timer.expired())
                    .then(none -> {
                        expired[0] = elapsedMillis();
                        timer.reset(Duration.ofMillis(40));
                        assertThat(timer.isExpired()).isFalse();
                        return timer.expired();
                    })
                    .then(none -> {
                        assertThat(elapsedMillis() - expired[0]).isBetween(40L, 42L);
                        timer.reset(Duration.ofSeconds(Long.MIN_VALUE));
                        assertThat(timer.isExpired()).isTrue();
                        timer.reset(Duration.ofSeconds(Long.MAX_VALUE));
                        assertThat(timer.isExpired()).isFalse();
                        assertThat(timer.deadline() - loop.nanoTime()).isGreaterThan(TimeUnit.DAYS.toNanos(365 * 146));
                        timer.reset(Duration.ZERO);
                        return timer.expired();
                    });
        }));
    }

    @Test
    void aTimerThatFiredAndWasPutOffBeforeItsTaskRanGoesOnWaiting() throws IOException {
        DeadlineTimer[] timer = new DeadlineTimer[1];
        boolean[] expired = {false};
        loop.blockOn(Async.lazy(() -> {
            timer[0] = Timers.timer(Duration.ofMillis(5));
            // Woken first, since its time comes first, and so it is polled before whoever waits for the timer.
            loop.spawn(Timers.sleepUntil(loop.nanoTime() + 4 * MILLI).map(none -> {
                timer[0].reset(Duration.ofMillis(500));
                return none;
            }));
            loop.spawnBackground(timer[0].expired().map(none -> expired[0] = true));
            return sleep(0).then(none -> {
                        now += 10 * MILLI; // both are due in one turn
                        return Async.repeat(5, () -> sleep(0));
                    })
                    .map(none -> {
                        assertThat(expired[0]).isFalse();
                        assertThat(loop.reactor().timers().size()).isEqualTo(1);
                        now += 500 * MILLI;
                        return none;
                    })
                    .then(none -> Async.repeat(5, () -> sleep(0)));
        }));
        assertThat(expired[0]).isTrue();
    }

    @Test
    void aMillionResetsLeaveOneTimerAndNoneWhenNobodyWaits() throws IOException {
        loop.blockOn(Async.lazy(() -> {
            DeadlineTimer timer = Timers.timer(Duration.ofHours(1));
            Task<?> waiting = loop.spawn(timer.expired());
            return new YieldOnce().map(none -> {
                for (int i = 0; i < 1_000_000; i++) {
                    timer.reset(Duration.ofHours(1 + i % 7));
                }
                assertThat(loop.reactor().timers().size()).isEqualTo(1);
                waiting.cancel();
                assertThat(loop.reactor().timers().size()).isZero();
                return none;
            });
        }));
    }

    @Test
    void aSleepThatMovesToAnotherTaskWakesThatTask() throws IOException {
        Async<Void> sleep = sleep(50);
        List<String> ended = new ArrayList<>();
        loop.blockOn(Async.lazy(() -> {
            loop.spawnBackground(onlyOnce(sleep));
            return new YieldOnce().then(none -> sleep.map(alsoNone -> ended.add("second task")));
        }));
        assertThat(ended).containsExactly("second task");
    }

    /** Polls this once, and is pending for ever then, as one whose computation has gone to somebody else. */
    private static Async<Void> onlyOnce(Async<Void> sleep) {
        return new Async<>() {
            private boolean polled;

            @Override
            public boolean poll(Waker waker) throws Exception {
                if (!polled) {
                    polled = true;
                    return sleep.poll(waker);
                }
                return PENDING;
            }

            @Override
            public Void result() {
                throw new IllegalStateException("not ready");
            }
        };
    }

    // ---- the time that is waited

    @Test
    void theTimeThatSlowTasksTookIsNotWaitedOnceMore() throws IOException {
        loop.blockOn(Async.lazy(() -> {
            loop.spawn(sleep(60));
            return sleep(0).then(none -> {
                now += 50 * MILLI; // a slow one, right before the loop waits
                return sleep(1);
            });
        }));
        assertThat(waits).containsExactly(MILLI, 9 * MILLI);
    }
}
