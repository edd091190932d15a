package io.thrust.reactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thrust.poll.Poller;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The order of timers, at any time of the clock. */
@Timeout(60)
class TimerQueueTest {
    private final TimerQueue timers = new TimerQueue();
    private final List<Integer> fired = new ArrayList<>();

    private Timer add(long deadline, int number) {
        return timers.add(deadline, () -> fired.add(number));
    }

    @Test
    void timersFireInTheOrderOfTheirDeadlinesAndEqualOnesAsTheyWereAdded() {
        add(30, 3);
        add(10, 1);
        add(20, 2);
        add(10, 11);
        add(10, 12);

        timers.fire(9);
        assertThat(fired).isEmpty();
        timers.fire(20);
        assertThat(fired).containsExactly(1, 11, 12, 2);
        timers.fire(30);
        assertThat(fired).containsExactly(1, 11, 12, 2, 3);
        assertThat(timers.isEmpty()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -5, Long.MAX_VALUE - 5, Long.MIN_VALUE, 1L << 62})
    void theOrderHoldsThoughTheClockOverflows(long now) {
        add(TimerQueue.deadline(now, 10), 10);
        add(TimerQueue.deadline(now, Long.MAX_VALUE), 1000);
        add(TimerQueue.deadline(now, -7), 0);
        add(TimerQueue.deadline(now, Long.MIN_VALUE), 1);
        add(TimerQueue.deadline(now, 5), 5);

        timers.fire(now);
        assertThat(fired).containsExactly(0, 1);
        assertThat(timers.limit(Poller.FOREVER, now)).isEqualTo(5);
        timers.fire(now + 9);
        assertThat(fired).containsExactly(0, 1, 5);
        timers.fire(now + 10);
        timers.fire(now + TimerQueue.MOST_NANOS - 1);
        assertThat(fired).containsExactly(0, 1, 5, 10);
        timers.fire(now + TimerQueue.MOST_NANOS);
        assertThat(fired).containsExactly(0, 1, 5, 10, 1000);
    }

    @Test
    void theTimeToWaitIsTheShorterOfBothAndNeverNegative() {
        assertThat(timers.limit(Poller.FOREVER, 0)).isEqualTo(Poller.FOREVER);
        assertThat(timers.limit(7, 0)).isEqualTo(7);
        add(100, 1);

        assertThat(timers.limit(Poller.FOREVER, 40)).isEqualTo(60);
        assertThat(timers.limit(7, 40)).isEqualTo(7);
        assertThat(timers.limit(70, 40)).isEqualTo(60);
        assertThat(timers.limit(0, 40)).isZero();
        assertThat(timers.limit(Poller.FOREVER, 200)).isZero();
    }

    @Test
    void aTimerThatIsCancelledWhileTheOneBeforeItFiresDoesNotFire() {
        List<Timer> second = new ArrayList<>();
        timers.add(10, () -> timers.cancel(second.get(0)));
        second.add(add(10, 2));

        timers.fire(10);

        assertThat(fired).isEmpty();
        assertThat(second.get(0).isPending()).isFalse();
    }

    @Test
    void theWakerThatWasSetLastIsWoken() {
        Timer timer = add(10, 1);
        timer.setWaker(() -> fired.add(2));

        timers.fire(10);
        timer.setWaker(() -> fired.add(3));
        timers.fire(20);

        assertThat(fired).containsExactly(2);
        assertThat(timers.cancel(timer)).isFalse();
    }

    @Test
    void aTimerMovesToAnEarlierAndToALaterDeadlineAndNotAfterItFired() {
        Timer timer = add(10, 1);
        add(20, 2);
        assertThat(timers.move(timer, 30)).isTrue();
        timers.fire(20);
        assertThat(fired).containsExactly(2);
        assertThat(timers.move(timer, 25)).isTrue();
        timers.fire(25);
        assertThat(fired).containsExactly(2, 1);

        assertThat(timers.move(timer, 40)).isFalse();
        timers.fire(100);
        assertThat(fired).hasSize(2);
    }

    @Test
    void aTimerThatIsMovedComesAfterThoseThatHadItsNewDeadlineBefore() {
        Timer timer = add(10, 1);
        add(20, 2);
        timers.move(timer, 20);
        add(20, 3);
        timers.fire(20);
        assertThat(fired).containsExactly(2, 1, 3);
    }

    @Test
    void aTimerOfAnotherQueueIsRefused() {
        TimerQueue other = new TimerQueue();
        List<Timer> strangers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            strangers.add(other.add(i, () -> {}));
        }
        add(10, 1);

        assertThat(strangers)
                .allSatisfy(stranger -> assertThatThrownBy(() -> timers.cancel(stranger))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("another reactor"));
        assertThat(timers.size()).isEqualTo(1);
        assertThat(other.size()).isEqualTo(100);
    }

    @Test
    void aMillionTimersThatAreAddedAndCancelledLeaveNothing() {
        Timer last = null;
        for (int i = 0; i < 1_000_000; i++) {
            Timer timer = add(i, i);
            assertThat(timers.cancel(timer)).isTrue();
            last = timer;
        }
        assertThat(timers.size()).isZero();
        assertThat(timers.capacity()).isLessThan(100);
        WeakReference<Timer> reference = new WeakReference<>(last);
        last = null;
        while (reference.get() != null) {
            System.gc();
        }

        List<Timer> many = new ArrayList<>();
        for (int i = 0; i < 1_000_000; i++) {
            many.add(add(i % 1000, i));
        }
        assertThat(timers.capacity()).isGreaterThanOrEqualTo(1_000_000);
        many.forEach(timers::cancel);
        assertThat(timers.capacity()).isLessThan(100);
        timers.fire(Long.MAX_VALUE / 4);
        assertThat(timers.size()).isZero();
        assertThat(fired).isEmpty();
    }

    @Test
    void randomOperationsHaveTheResultsOfASortedList() {
        record Entry(long deadline, int number, Timer timer) {}

        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            TimerQueue timers = new TimerQueue();
            List<Integer> fired = new ArrayList<>();
            List<Entry> model = new ArrayList<>();
            long now = Long.MAX_VALUE - random.nextInt(2000);
            for (int step = 0; step < 500; step++) {
                int kind = random.nextInt(10);
                if (kind < 6 || model.isEmpty()) {
                    int number = step;
                    long deadline = now + random.nextInt(300);
                    model.add(new Entry(deadline, number, timers.add(deadline, () -> fired.add(number))));
                } else if (kind == 6) {
                    Entry entry = model.remove(random.nextInt(model.size()));
                    long deadline = now + random.nextInt(300);
                    assertThat(timers.move(entry.timer, deadline)).isTrue();
                    model.add(new Entry(deadline, entry.number, entry.timer));
                } else if (kind < 9) {
                    Entry entry = model.remove(random.nextInt(model.size()));
                    assertThat(timers.cancel(entry.timer)).isTrue();
                    assertThat(timers.cancel(entry.timer)).isFalse();
                } else {
                    now += random.nextInt(100);
                    long time = now;
                    List<Integer> expected = model.stream()
                            .filter(entry -> entry.deadline - time <= 0)
                            .sorted(Comparator.<Entry>comparingLong(entry -> entry.deadline - time)
                                    // Of equal ones, as they were added or moved: in the order of the model.
                                    .thenComparingInt(model::indexOf))
                            .map(Entry::number)
                            .toList();
                    model.removeIf(entry -> entry.deadline - time <= 0);
                    fired.clear();
                    timers.fire(now);
                    assertThat(fired).as("seed %d", seed).isEqualTo(expected);
                }
                assertThat(timers.size()).isEqualTo(model.size());
                assertThat(model)
                        .allSatisfy(entry -> assertThat(entry.timer.isPending()).isTrue());
            }
        }
    }
}
