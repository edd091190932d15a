package io.thrust.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.thrust.poll.Availability;
import io.thrust.poll.PollerProvider;
import io.thrust.tck.memory.Fault;
import io.thrust.tck.memory.MemoryProvider;
import io.thrust.tck.memory.Style;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What becomes of a rule that fails, hangs, is skipped or waived. */
class RuleExtensionTest {
    private static final Environment SHORT = Environment.ofSystemProperties()
            .withPatience(Duration.ofMillis(300))
            .withSilence(Duration.ofMillis(20))
            .withLimit(Duration.ofSeconds(2))
            .withEffort(0.01);

    private static RuleResult only(PollerProvider provider, String rule, String... waived) {
        List<RuleResult> results = new KitRun(provider, SHORT, Set.of(waived)).run(Set.of(rule), result -> {});
        assertThat(results).hasSize(1);
        return results.get(0);
    }

    /** A correct provider, one of whose methods answers otherwise. */
    private static PollerProvider with(String method, Object answer) {
        MemoryProvider real = new MemoryProvider();
        return (PollerProvider) Proxy.newProxyInstance(
                RuleExtensionTest.class.getClassLoader(),
                new Class<?>[] {PollerProvider.class},
                (proxy, called, args) -> {
                    if (called.getName().equals(method)) {
                        if (answer instanceof CountDownLatch latch) {
                            latch.await();
                        }
                        return answer;
                    }
                    return called.invoke(real, args);
                });
    }

    @Test
    void aFailureSaysTheRuleAndWhatToCheck() {
        RuleResult result = only(new MemoryProvider(Style.ARRIVAL, Fault.NAME_IS_ILL_FORMED), "8.1");
        assertThat(result.status()).isEqualTo(RuleResult.Status.FAILED);
        assertThat(result.detail())
                .contains(
                        "Memory Poller", "rule 8.1 MUST", result.rule().hints().get(0));
        assertThat(result.failure()).isInstanceOf(RuleFailure.class);
    }

    @Test
    void aFailureOfAHelperThreadFailsTheRule() {
        RuleResult result = only(new MemoryProvider(Style.ARRIVAL, Fault.OWNER_IS_NOT_CHECKED), "7.1");
        assertThat(result.status()).isEqualTo(RuleResult.Status.FAILED);
        assertThat(result.detail()).contains("tck-stranger");
    }

    @Test
    void aRuleThatHangsFails() {
        CountDownLatch never = new CountDownLatch(1);
        RuleResult result = only(with("pipe", never), "5.31");
        assertThat(result.status()).isEqualTo(RuleResult.Status.FAILED);
        assertThat(result.detail()).contains("did not end within");
        never.countDown();
    }

    @Test
    void aPollerThatHangsFails() {
        RuleResult result = only(new MemoryProvider(Style.ARRIVAL, Fault.CLOSE_DOES_NOT_WAKE), "7.4");
        assertThat(result.status()).isEqualTo(RuleResult.Status.FAILED);
    }

    @Test
    void aShouldCanBeWaivedAndAMustCannot() {
        PollerProvider unlisted = with("no such method", "");
        assertThat(only(unlisted, "8.3").status()).isEqualTo(RuleResult.Status.FAILED);
        RuleResult waived = only(unlisted, "8.3", "8.3");
        assertThat(waived.status()).isEqualTo(RuleResult.Status.SKIPPED);
        assertThat(waived.detail()).contains("waived");
        assertThat(only(unlisted, "8.2", "8.2").status()).isEqualTo(RuleResult.Status.FAILED);
    }

    @Test
    void whereThePollerIsNotAvailableRulesAreSkippedWithTheReason() {
        RuleResult result = only(with("availability", Availability.unavailable("no such kernel", null)), "1.1");
        assertThat(result.status()).isEqualTo(RuleResult.Status.SKIPPED);
        assertThat(result.detail()).contains("no such kernel");
    }
}
