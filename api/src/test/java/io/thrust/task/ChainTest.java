package io.thrust.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Steps after one another: stack, fairness, recovery. */
@Timeout(60)
class ChainTest {
    private static final int MANY = 200_000;
    private static final Waker NOBODY = () -> {};

    private final LocalExecutor executor = new LocalExecutor(new FakeParker(), () -> 0);

    // ---- stack

    @Test
    void aLongChainUsesNoStackWhetherReadyOrNot() throws IOException {
        Async<Integer> ready = Async.ready(0);
        Async<Integer> pending = new YieldOnce().map(none -> 0);
        for (int i = 0; i < MANY; i++) {
            ready = i % 2 == 0 ? ready.map(n -> n + 1) : ready.then(n -> Async.ready(n + 1));
            pending = pending.recover(e -> Async.ready(-1)).map(n -> n + 1);
        }
        assertThat(executor.<Integer>blockOn(ready)).isEqualTo(MANY);
        assertThat(executor.<Integer>blockOn(pending)).isEqualTo(MANY);
    }

    @Test
    void aMethodThatGoesOnByItselfUsesNoStack() throws IOException {
        assertThat(executor.<Integer>blockOn(countUp(0))).isEqualTo(MANY);
        assertThat(executor.<Integer>blockOn(retry(0))).isEqualTo(MANY);
        assertThat(executor.<Integer>blockOn(lazily(0))).isEqualTo(MANY);
        assertThat(executor.<Integer>blockOn(sum(MANY))).isEqualTo(MANY);
    }

    private static Async<Integer> countUp(int n) {
        return n == MANY ? Async.ready(n) : Async.ready(n).then(value -> countUp(value + 1));
    }

    private static Async<Integer> retry(int n) {
        return n == MANY
                ? Async.ready(n)
                : Async.<Integer>failed(new IOException()).recover(e -> retry(n + 1));
    }

    private static Async<Integer> lazily(int n) {
        return n == MANY ? Async.ready(n) : Async.lazy(() -> lazily(n + 1));
    }

    /** Not in the last step: each level adds one to the result of the next. */
    private static Async<Integer> sum(int n) {
        return n == 0 ? Async.ready(0) : Async.lazy(() -> sum(n - 1)).map(below -> below + 1);
    }

    @Test
    void aChainThatNeverEndsLetsOthersHaveTheirTurn() throws IOException {
        int[] steps = {0};
        Task<?> endless = executor.spawnBackground(endless(steps));
        executor.blockOn(new Countdown(10));
        // Polled beside each poll of the other, and until the turn ends in which that one did.
        int mostPolls = 11 + LocalExecutor.POLLS_PER_TURN;
        assertThat(steps[0]).isGreaterThan(10).isLessThan(mostPolls * 2 * Budget.UNITS);
        assertThat(endless.isCancelled()).isTrue();
    }

    private static Async<Void> endless(int[] steps) {
        steps[0]++;
        return Async.ready(1).then(one -> endless(steps));
    }

    @Test
    void outsideOfAnExecutorAChainIsNotLimited() throws Exception {
        assertThat(countUp(0).poll(NOBODY)).isTrue();
    }

    @Test
    void aComputationThatBecamePartOfAChainIsNotPolledBesideIt() throws Exception {
        Async<String> inner = Probe.ready("inner").map(value -> value);
        Async<String> outer = Async.ready(1).then(one -> inner);
        assertThat(outer.poll(NOBODY)).isTrue();
        assertThat(outer.result()).isEqualTo("inner");
        assertThatThrownBy(() -> inner.poll(NOBODY))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("handed over");
    }

    @Test
    void aComputationThatIsFollowedTwiceIsRefusedTheSecondTime() throws Exception {
        List<Async<String>> twice = List.of(
                Async.lazy(() -> Async.ready("value")).map(value -> value + "!"),
                Probe.ready("value").map(value -> value + "!"));
        for (Async<String> base : twice) {
            Async<String> first = base.map(value -> value + " first");
            Async<String> second = base.map(value -> value + " second");

            assertThat(first.poll(NOBODY)).isTrue();
            assertThat(first.result()).isEqualTo("value! first");
            for (Async<String> refused : List.of(second, base)) {
                assertThatThrownBy(() -> refused.poll(NOBODY))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("handed over");
            }
        }
    }

    @Test
    void whatFollowsACancelledComputationIsRefused() {
        Probe<String> probe = Probe.ready("value");
        Async<String> cancelled = probe.map(value -> value);
        cancelled.cancel();
        Async<String> follower = cancelled.map(value -> "mapped " + value);
        assertThatThrownBy(() -> follower.poll(NOBODY))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("cancelled");
        assertThat(probe.cancels).isEqualTo(1);
    }

    // ---- recovery

    @Test
    void aFailureGoesToTheNextStepThatIsThereForIt() throws IOException {
        List<String> seen = new ArrayList<>();
        String result = executor.blockOn(Async.<String>failed(new FileNotFoundException("gone"))
                .map(value -> "mapped")
                .recover(IllegalStateException.class, e -> Async.ready("illegal"))
                .recover(IOException.class, e -> {
                    seen.add(e.getMessage());
                    return new YieldOnce().map(none -> "recovered");
                })
                .recover(e -> Async.ready("too late"))
                .map(value -> value + "!"));

        assertThat(seen).containsExactly("gone");
        assertThat(result).isEqualTo("recovered!");
    }

    @Test
    void whatFunctionsThrowIsRecoveredFromToo() throws IOException {
        assertThat(executor.<String>blockOn(Async.ready(1)
                        .<String>map(value -> {
                            throw new IllegalStateException("map");
                        })
                        .recover(e -> {
                            throw new IllegalArgumentException("after " + e.getMessage());
                        })
                        .recover(IllegalStateException.class, e -> Async.ready("the first"))
                        .recover(IllegalArgumentException.class, e -> Async.ready(e.getMessage()))))
                .isEqualTo("after map");
        assertThat(executor.<String>blockOn(Async.ready(1)
                        .then(value -> Async.<String>failed(new IOException("inner"))
                                .recover(IllegalStateException.class, e -> Async.ready("no")))
                        .recover(e -> Async.ready(e.getMessage()))))
                .isEqualTo("inner");
    }

    @Test
    void aFailureThatNobodyIsThereForIsPassedOnAsItIs() {
        IOException failure = new IOException("as it is");
        assertThatThrownBy(() -> executor.blockOn(Async.failed(failure)
                        .recover(IllegalStateException.class, e -> Async.ready("no"))
                        .map(value -> value)))
                .isSameAs(failure);
        StackOverflowError error = new StackOverflowError();
        assertThatThrownBy(() -> executor.blockOn(Async.ready(1)
                        .map(value -> {
                            throw error;
                        })
                        .recover(e -> Async.ready("no"))))
                .isSameAs(error);
    }

    @Test
    void aResultPassesRecoveryByAndARecoveryUnderWayIsCancelledOnce() throws Exception {
        assertThat(executor.<String>blockOn(Async.ready("fine").recover(e -> Async.ready("no"))))
                .isEqualTo("fine");

        Probe<String> recovery = Probe.pending();
        Async<String> recovering = Probe.<String>failing(new IOException()).recover(e -> recovery);
        assertThat(recovering.poll(NOBODY)).isFalse();
        recovering.cancel();
        recovering.cancel();
        assertThat(recovery.cancels).isEqualTo(1);
    }

    @Test
    void functionsThatReturnNullAreNamed() {
        assertThatThrownBy(() -> executor.blockOn(Async.lazy(() -> null))).hasMessageContaining("lazy");
        assertThatThrownBy(() -> executor.blockOn(Async.ready(1).then(value -> null)))
                .hasMessageContaining("then");
        assertThatThrownBy(
                        () -> executor.blockOn(Async.failed(new IOException()).recover(e -> null)))
                .hasMessageContaining("recover");
        assertThatThrownBy(() -> executor.blockOn(Async.loop(() -> null))).hasMessageContaining("loop");
        assertThatThrownBy(() -> executor.blockOn(Async.repeat(1, () -> null))).hasMessageContaining("repeat");
    }
}
