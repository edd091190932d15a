package io.thrust.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A task is polled once for any number of wake-ups since its last poll, and never without one. */
@Timeout(120)
class WakerTest {
    private final FakeParker parker = new FakeParker();
    private final LocalExecutor executor = new LocalExecutor(parker, () -> 0);

    @Test
    void aTaskIsNotPolledWithoutAWakeUp() {
        Probe<Void> waiting = Probe.pending();
        executor.spawn(waiting);
        executor.spawn(new Countdown(500));

        while (executor.taskCount() == 2) {
            executor.turn(0);
        }

        assertThat(waiting.polls).isEqualTo(1);
    }

    @Test
    void aTaskIsNotPolledAfterItEnded() {
        Probe<String> ending = Probe.ready("end");
        executor.spawn(ending);
        executor.turn(0);
        ending.waker().wake();
        ExecutorEndingsTest.onOtherThread(() -> ending.waker().wake());

        executor.turn(0);

        assertThat(ending.polls).isEqualTo(1);
    }

    @Test
    void manyWakeUpsBetweenTwoPollsCauseOnePoll() {
        Probe<Void> task = Probe.pending();
        executor.spawn(task);
        executor.turn(0);
        for (int i = 0; i < 3; i++) {
            task.waker().wake();
            ExecutorEndingsTest.onOtherThread(() -> task.waker().wake());
        }

        executor.turn(0);
        executor.turn(0);

        // The wake-ups of the other thread were queued on a way of their own and may cost a second poll.
        assertThat(task.polls).isBetween(2, 3);
        int polls = task.polls;
        executor.turn(0);
        assertThat(task.polls).isEqualTo(polls);
    }

    @Test
    void manyWakeUpsOfAnotherThreadCauseOnePoll() {
        Probe<Void> task = Probe.pending();
        executor.spawn(task);
        executor.turn(0);
        ExecutorEndingsTest.onOtherThread(() -> {
            for (int i = 0; i < 100; i++) {
                task.waker().wake();
            }
        });

        executor.turn(0);
        executor.turn(0);

        assertThat(task.polls).isEqualTo(2);
    }

    @Test
    void wakingDuringTheOwnPollSchedulesTheTaskExactlyOnceMore() {
        Probe<Void> wakesOnce = new Probe<>(new Probe.OnPoll() {
            private boolean woken;

            @Override
            public boolean poll(Waker waker) {
                if (!woken) {
                    woken = true;
                    waker.wake();
                    waker.wake();
                }
                return Async.PENDING;
            }
        });
        executor.spawn(wakesOnce);

        executor.turn(0);
        executor.turn(0);

        assertThat(wakesOnce.polls).isEqualTo(2);
    }

    @Test
    void aWakeUpByAnotherThreadUnparksTheLoop() {
        Probe<Void> task = new Probe<>(new Probe.OnPoll() {
            private int polls;

            @Override
            public boolean poll(Waker waker) {
                return ++polls == 2;
            }
        });
        executor.spawn(task);
        parker.onPark = () -> {
            if (task.polls == 1) {
                new Thread(task.waker()::wake).start();
            }
        };

        executor.run();

        assertThat(task.polls).isEqualTo(2);
        assertThat(parker.unparks).isLessThanOrEqualTo(1);
    }

    @Test
    void aWakeUpByAnotherThreadBeforeTheLoopParksKeepsItFromWaiting() {
        Probe<Void> task = new Probe<>(new Probe.OnPoll() {
            private int polls;

            @Override
            public boolean poll(Waker waker) {
                ExecutorEndingsTest.onOtherThread(waker::wake);
                return ++polls == 100;
            }
        });
        executor.spawn(task);

        executor.run();

        assertThat(parker.waits).isZero();
        assertThat(parker.unparks).isZero();
    }

    @Test
    void aWakerKeptAfterTheTaskEndedKeepsNothingOfItInMemory() {
        List<Waker> wakers = new ArrayList<>();
        List<WeakReference<Object>> held = new ArrayList<>();
        spawnHolding(wakers, held, Async.READY);
        executor.run();
        Task<?> cancelled = spawnHolding(wakers, held, Async.PENDING);
        executor.turn(0);
        cancelled.cancel();
        cancelled = null;

        long start = System.nanoTime();
        for (WeakReference<Object> reference : held) {
            while (reference.get() != null) {
                assertThat(System.nanoTime() - start)
                        .as("time that it has been kept in memory")
                        .isLessThan(TimeUnit.SECONDS.toNanos(60));
                System.gc();
                LockSupport.parkNanos(1_000_000);
            }
        }
        wakers.forEach(Waker::wake);
        executor.turn(0);
    }

    private Task<?> spawnHolding(List<Waker> wakers, List<WeakReference<Object>> held, boolean outcome) {
        Object[] big = new Object[1000];
        Async<Void> task = new Probe<>(waker -> {
            wakers.add(waker);
            return big.length == 1000 && outcome;
        });
        held.add(new WeakReference<>(task));
        held.add(new WeakReference<>(big));
        return executor.spawn(task);
    }

    @Test
    void twoHundredThousandHandOversFromOtherThreadsLoseNone() throws InterruptedException {
        int threads = 4;
        int each = 50_000;
        AtomicLong[] sent = new AtomicLong[threads];
        long[] seen = new long[threads];
        Waker[] wakers = new Waker[threads];
        List<Thread> producers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int number = i;
            sent[i] = new AtomicLong();
            executor.spawn(
                    new Probe<Void>(waker -> {
                        wakers[number] = waker;
                        seen[number] = sent[number].get();
                        return seen[number] == each;
                    }) {
                        @Override
                        public boolean poll(Waker waker) throws Exception {
                            boolean ready = super.poll(waker);
                            wakers.clear();
                            return ready;
                        }
                    });
        }
        executor.turn(0);
        for (int i = 0; i < threads; i++) {
            int number = i;
            Thread producer = new Thread(() -> {
                for (int n = 0; n < each; n++) {
                    sent[number].incrementAndGet();
                    wakers[number].wake();
                }
            });
            producers.add(producer);
            producer.start();
        }

        // The fake parker fails if it waits for long while a task is left: a lost wake-up.
        executor.run();

        assertThat(seen).containsOnly(each);
        for (Thread producer : producers) {
            producer.join();
        }
    }
}
