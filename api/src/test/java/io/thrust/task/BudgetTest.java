package io.thrust.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The units of a poll. */
@Timeout(60)
class BudgetTest {
    private final FakeParker parker = new FakeParker();
    private final LocalExecutor executor = new LocalExecutor(parker, () -> 0);
    private final List<String> woken = new ArrayList<>();
    private final Waker waker = () -> woken.add("woken");

    @Test
    void outsideOfAnExecutorThereIsNoLimit() {
        Budget budget = Budget.current();
        for (int i = 0; i < 100_000; i++) {
            assertThat(budget.take(waker)).isTrue();
            budget.giveBack();
        }
        assertThat(Budget.current()).isNotSameAs(executor.budget());
        assertThat(woken).isEmpty();
    }

    @Test
    void eachPollHasAHundredAndTwentyEightAndTheNextOneWakesTheTask() throws IOException {
        List<Integer> taken = new ArrayList<>();
        executor.blockOn(new Probe<Void>(own -> {
            assertThat(Budget.current()).isSameAs(executor.budget());
            int count = 0;
            while (executor.budget().take(own)) {
                count++;
            }
            taken.add(count);
            return taken.size() == 3;
        }));

        // Polled three times: at the end of its budget it was woken.
        assertThat(taken).containsExactly(Budget.UNITS, Budget.UNITS, Budget.UNITS);
    }

    @Test
    void aUnitThatIsGivenBackCanBeTakenAgain() throws IOException {
        executor.blockOn(new Probe<Void>(own -> {
            for (int i = 0; i < 1000; i++) {
                assertThat(executor.budget().take(own)).isTrue();
                executor.budget().giveBack();
            }
            return true;
        }));
    }

    @Test
    void betweenPollsThereIsNoLimitAndTheBudgetOfTheOuterLoopComesBack() throws IOException {
        LocalExecutor inner = new LocalExecutor(new FakeParker(), () -> 0);
        parker.onPark = () -> {
            for (int i = 0; i < 1000; i++) {
                assertThat(executor.budget().take(waker)).isTrue();
            }
        };
        executor.spawn(new YieldOnce());
        executor.blockOn(new Probe<Void>(own -> {
            int taken = 0;
            try {
                inner.blockOn(new Countdown(500));
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            assertThat(Budget.current()).isSameAs(executor.budget());
            while (executor.budget().take(() -> {})) {
                taken++;
            }
            assertThat(taken).isEqualTo(Budget.UNITS);
            return true;
        }));
        assertThat(woken).isEmpty();
    }
}
