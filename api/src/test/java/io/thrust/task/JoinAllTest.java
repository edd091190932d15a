package io.thrust.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several computations at a time, all of which must end. */
@Timeout(60)
class JoinAllTest {
    private final LocalExecutor executor = new LocalExecutor(new FakeParker(), () -> 0);
    private int wakes;
    private final Waker waker = () -> wakes++;

    @Test
    void theResultsAreInTheOrderOfTheComputationsWhateverEndsFirst() throws IOException {
        assertThat(executor.blockOn(Async.joinAll(List.of(
                        new Countdown(5).map(none -> "slow"),
                        Async.ready("ready"),
                        new Countdown(2).map(none -> "fast")))))
                .containsExactly("slow", "ready", "fast");
        assertThat(executor.<Long>blockOn(
                        Async.join(Async.ready(40), new YieldOnce().map(none -> 2L), (a, b) -> a + b)))
                .isEqualTo(42);
    }

    @Test
    void nobodyIsReadyAtOnceAndResultsMayBeNullButComputationsMayNot() throws IOException {
        assertThat(executor.blockOn(Async.joinAll(List.<Async<String>>of()))).isEmpty();
        assertThat(executor.blockOn(Async.joinAll(List.of(Async.ready((String) null)))))
                .containsExactly((String) null);
        assertThatThrownBy(() -> Async.joinAll(Arrays.asList(Async.ready(1), null)))
                .isInstanceOf(NullPointerException.class);
    }

    @Test
    void aWakeUpOfOnePollsOne() throws Exception {
        int count = 1000;
        List<Probe<Integer>> probes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = i;
            boolean[] polled = {false};
            Probe<Integer> probe = new Probe<>(own -> {
                boolean again = polled[0];
                polled[0] = true;
                return again;
            });
            probe.result = number;
            probes.add(probe);
        }
        Async<List<Integer>> all = Async.joinAll(probes);
        assertThat(all.poll(waker)).isFalse();

        List<Integer> order = new ArrayList<>(IntStream.range(0, count).boxed().toList());
        Collections.shuffle(order, new java.util.Random(1));
        for (int i : order.subList(0, count - 1)) {
            probes.get(i).waker().wake();
            assertThat(all.poll(waker)).isFalse();
        }
        probes.get(order.get(count - 1)).waker().wake();
        assertThat(all.poll(waker)).isTrue();

        assertThat(wakes).isEqualTo(count);
        assertThat(probes).allSatisfy(probe -> assertThat(probe.polls).isEqualTo(2));
        assertThat(all.result()).containsExactlyElementsOf(IntStream.range(0, count)::iterator);
    }

    @Test
    void aPollWithoutAWakeUpPollsNobodyAndTheLatestWakerIsWoken() throws Exception {
        Probe<String> probe = Probe.pending();
        Async<?> all = Async.joinAll(List.of(probe));
        all.poll(() -> {
            throw new AssertionError("woken though it was replaced");
        });
        all.poll(waker);
        assertThat(probe.polls).isEqualTo(1);

        probe.waker().wake();
        probe.waker().wake();
        assertThat(wakes).isEqualTo(1);
        all.poll(waker);
        assertThat(probe.polls).isEqualTo(2);
    }

    @Test
    void wakingDuringTheOwnPollIsNotLost() throws Exception {
        int[] polls = {0};
        executor.blockOn(Async.joinAll(List.of(
                new Probe<String>(own -> {
                    own.wake();
                    return ++polls[0] == 100;
                }),
                Probe.ready("ready"))));
        assertThat(polls[0]).isEqualTo(100);
    }

    @Test
    void wakeUpsFromOtherThreadsAreNotLost() throws Exception {
        for (int round = 0; round < 200; round++) {
            List<CompletableFuture<Integer>> futures = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                futures.add(new CompletableFuture<>());
            }
            List<Thread> threads = new ArrayList<>();
            for (int part = 0; part < 2; part++) {
                int first = part;
                Thread thread = new Thread(() -> {
                    for (int i = first; i < futures.size(); i += 2) {
                        futures.get(i).complete(i);
                    }
                });
                threads.add(thread);
                thread.start();
            }
            assertThat(executor.blockOn(Async.joinAll(
                            futures.stream().map(Async::<Integer>from).toList())))
                    .hasSize(futures.size());
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    @Test
    void theFirstFailureCancelsTheOthersAndClosesTheResultsThatNobodyGets() throws Exception {
        List<String> closed = new ArrayList<>();
        IOException failure = new IOException("second");
        Probe<AutoCloseable> done = Probe.ready(() -> closed.add("result"));
        Probe<AutoCloseable> pending = Probe.pending();
        Probe<AutoCloseable> stubborn = Probe.pending();
        IllegalStateException stuck = new IllegalStateException("stuck");
        stubborn.onCancel = () -> {
            throw stuck;
        };
        Probe<AutoCloseable> last = Probe.pending();
        Async<?> all = Async.joinAll(List.of(done, pending, stubborn, Probe.failing(failure), last));

        assertThatThrownBy(() -> all.poll(waker)).isSameAs(failure).hasSuppressedException(stuck);

        assertThat(closed).containsExactly("result");
        assertThat(List.of(done.cancels, pending.cancels, stubborn.cancels, last.cancels))
                .containsExactly(0, 1, 1, 1);
        assertThat(last.polls).isZero();
    }

    @Test
    void cancellingCancelsEachThatHasNotEndedThoughOneThrows() throws Exception {
        List<String> closed = new ArrayList<>();
        Probe<AutoCloseable> done = Probe.ready(() -> closed.add("result"));
        Probe<AutoCloseable> stubborn = Probe.pending();
        stubborn.onCancel = () -> {
            throw new IllegalStateException("stuck");
        };
        Probe<AutoCloseable> pending = Probe.pending();
        Async<?> all = Async.joinAll(List.of(done, stubborn, pending));
        all.poll(waker);

        assertThatThrownBy(all::cancel).hasMessage("stuck");
        all.cancel();

        assertThat(closed).containsExactly("result");
        assertThat(List.of(done.cancels, stubborn.cancels, pending.cancels)).containsExactly(0, 1, 1);
        pending.waker().wake();
        assertThat(wakes).isZero();
    }

    @Test
    void aCheckedExceptionThatACancellationThrowsNeverthelessIsThrownAsItIs() throws Exception {
        IOException checked = new IOException("of another language");
        Probe<Void> sneaky = Probe.pending();
        sneaky.onCancel = () -> JoinAllTest.<RuntimeException>sneak(checked);
        Probe<Void> pending = Probe.pending();
        Async<?> all = Async.joinAll(List.of(sneaky, pending));
        all.poll(waker);

        assertThatThrownBy(all::cancel).isSameAs(checked);

        assertThat(pending.cancels).isEqualTo(1);
    }

    @SuppressWarnings("unchecked")
    private static <E extends Exception> void sneak(Exception e) throws E {
        throw (E) e;
    }
}
