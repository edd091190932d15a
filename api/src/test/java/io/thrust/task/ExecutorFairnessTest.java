package io.thrust.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks that are always ready keep neither the parker (I/O and timers) nor each other from having their turn. */
@Timeout(60)
class ExecutorFairnessTest {
    private final FakeParker parker = new FakeParker();
    /** Moved by tasks and parkers that take time. */
    private long nanos = Long.MAX_VALUE - 3_000_000;

    private final LocalExecutor executor = new LocalExecutor(parker, () -> nanos);
    private int pollsSincePark;
    private int mostPolls;

    @Test
    void theParkerIsServedAfterSixtyFourPolls() {
        countPolls();
        executor.spawn(selfWaking(1000));
        executor.spawn(selfWaking(1000));

        executor.run();

        assertThat(mostPolls).isBetween(1, LocalExecutor.POLLS_PER_TURN);
        assertThat(parker.parks).isGreaterThanOrEqualTo(2000 / LocalExecutor.POLLS_PER_TURN);
    }

    @Test
    void theParkerDoesNotWaitWhileATaskIsReady() {
        executor.spawn(selfWaking(1000));

        executor.run();

        assertThat(parker.waits).isZero();
    }

    @Test
    void theParkerIsServedAfterOneOrTwoPollsThatAreSlow() {
        countPolls();
        executor.spawn(slow(4));
        executor.spawn(slow(4));

        executor.run();

        assertThat(mostPolls).isLessThanOrEqualTo(2);
    }

    @Test
    void theParkerIsServedSoonThoughSlowPollsFollowManyFastOnes() {
        for (int i = 0; i < 32; i++) {
            executor.spawn(new Countdown(0));
        }
        countPolls();
        for (int i = 0; i < 32; i++) {
            executor.spawn(slow(1));
        }

        executor.run();

        assertThat(mostPolls).isLessThanOrEqualTo(8);
    }

    @Test
    void whatTheParkerWakesHasItsTurnAmongTasksThatWakeThemselvesForEver() {
        boolean[] served = {false};
        Probe<Void> waiting = new Probe<>(waker -> served[0]);
        executor.spawn(waiting.map(none -> {
            executor.close();
            return none;
        }));
        parker.onPark = () -> {
            if (!waiting.wakers.isEmpty()) {
                served[0] = true;
                waiting.waker().wake();
            }
        };
        executor.spawn(selfWaking(Integer.MAX_VALUE));

        executor.run();

        assertThat(waiting.polls).isEqualTo(2);
    }

    @Test
    void readyTasksArePolledInTheOrderInWhichTheyWereWoken() {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int number = i;
            executor.spawn(new Probe<Void>(waker -> {
                order.add(number);
                waker.wake();
                return order.size() > 6;
            }));
        }

        executor.run();

        assertThat(order.subList(0, 6)).containsExactly(0, 1, 2, 0, 1, 2);
    }

    private void countPolls() {
        parker.onPark = () -> pollsSincePark = 0;
    }

    private Async<Void> selfWaking(int times) {
        int[] left = {times};
        return new Probe<>(waker -> {
            mostPolls = Math.max(mostPolls, ++pollsSincePark);
            waker.wake();
            return left[0]-- == 0;
        }) {
            // The wakers of a million polls need not be kept.
            @Override
            public boolean poll(Waker waker) throws Exception {
                boolean ready = super.poll(waker);
                wakers.clear();
                return ready;
            }
        };
    }

    /** Each of its polls takes longer than a turn may. */
    private Async<Void> slow(int times) {
        int[] left = {times};
        return new Probe<>(waker -> {
            mostPolls = Math.max(mostPolls, ++pollsSincePark);
            nanos += TimeUnit.MILLISECONDS.toNanos(1);
            waker.wake();
            return --left[0] == 0;
        });
    }

    // ---- looks that take long

    @Test
    void aLookThatTookLongLeavesTasksSixteenTimesAsLong() {
        runPollsOf(10_000, 100_000);

        assertThat(mostPolls).isBetween(16 * 10, 16 * 10 + 8);
    }

    @Test
    void aLookOfUsualLengthLeavesTheNumberOfPollsAsItIs() {
        runPollsOf(5_000, 2_000);

        assertThat(mostPolls).isEqualTo(LocalExecutor.POLLS_PER_TURN);
    }

    @Test
    void aLookHoweverLongLeavesTasksEightMilliseconds() {
        runPollsOf(100_000, TimeUnit.SECONDS.toNanos(10));

        assertThat(mostPolls).isBetween(80, 88);
    }

    @Test
    void theParkerIsServedThoughTheClockStandsStillAfterALongLook() {
        runPollsOf(0, TimeUnit.SECONDS.toNanos(10));

        assertThat(mostPolls).isEqualTo(Turn.MOST_POLLS);
    }

    @Test
    void aWaitForTasksIsNoLook() {
        Probe<Void> waiting = new Probe<>(waker -> {
            boolean waited = parker.waits > 0;
            if (waited) {
                executor.spawn(selfWaking(1000));
                executor.spawn(selfWaking(1000));
                parker.onPark = () -> pollsSincePark = 0;
            } else {
                parker.onPark = waitThenWake(waker);
            }
            return waited;
        });
        executor.spawn(waiting);

        executor.run();

        assertThat(mostPolls).isBetween(1, LocalExecutor.POLLS_PER_TURN);
    }

    private FakeParker.OnPark waitThenWake(Waker waker) {
        return () -> {
            nanos += TimeUnit.SECONDS.toNanos(10);
            waker.wake();
            parker.unpark();
        };
    }

    private void runPollsOf(long pollNanos, long lookNanos) {
        parker.onPark = () -> {
            pollsSincePark = 0;
            nanos += lookNanos;
        };
        for (int i = 0; i < 2; i++) {
            int[] left = {5_000};
            executor.spawn(new Probe<Void>(waker -> {
                nanos += pollNanos;
                mostPolls = Math.max(mostPolls, ++pollsSincePark);
                waker.wake();
                return left[0]-- == 0;
            }));
        }
        executor.run();
    }
}
