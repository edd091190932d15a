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
    private final LocalExecutor executor = new LocalExecutor(parker);
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
            long start = System.nanoTime();
            while (System.nanoTime() - start < TimeUnit.MILLISECONDS.toNanos(1)) {
                Thread.onSpinWait();
            }
            waker.wake();
            return --left[0] == 0;
        });
    }
}
