package io.thrust.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.thrust.tck.memory.Fault;
import io.thrust.tck.memory.MemoryProvider;
import io.thrust.tck.memory.Style;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The kit finds broken pollers out, each by the rules that are named beside its fault. With {@code
 * -Dthrust.tck.mutants=all} every rule runs over every broken poller, and what fails is printed.
 */
class MutantsTest {
    private static final boolean ALL = "all".equals(System.getProperty("thrust.tck.mutants"));

    private static final Environment SHORT = Environment.ofSystemProperties()
            .withPatience(Duration.ofMillis(250))
            .withSilence(Duration.ofMillis(20))
            .withLimit(Duration.ofSeconds(8))
            .withEffort(0.1)
            .withSeed(7)
            .withWalk(800, 2);

    private static List<RuleResult> run(Style style, Fault fault, Set<String> rules) {
        return new KitRun(new MemoryProvider(style, fault), SHORT, Set.of()).run(rules, result -> {});
    }

    private static Set<String> failed(List<RuleResult> results) {
        return results.stream()
                .filter(result -> result.status() == RuleResult.Status.FAILED)
                .map(result -> result.rule().id())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @ParameterizedTest
    @EnumSource
    void aBrokenPollerIsFoundOut(Fault fault) {
        assertThat(fault.rules())
                .as("rules that find out that " + fault.description())
                .isNotEmpty();
        Set<String> failed = failed(run(fault.style(), fault, ALL ? Set.of() : Set.copyOf(fault.rules())));
        if (ALL) {
            System.out.println(fault + " (" + fault.description() + ") breaks " + failed);
        }
        assertThat(failed).as("rules that fail because " + fault.description()).containsAll(fault.rules());
    }

    @Test
    void thereAreAtLeastFortyOfThem() {
        assertThat(Fault.values()).hasSizeGreaterThanOrEqualTo(40);
    }

    @Test
    void withoutAFaultTheSameRulesPass() {
        Set<String> rules = new TreeSet<>();
        for (Fault fault : Fault.values()) {
            rules.addAll(fault.rules());
        }
        for (Style style : Style.values()) {
            List<RuleResult> results = new KitRun(
                            new MemoryProvider(style, null), SHORT.withPatience(Duration.ofSeconds(10)), Set.of())
                    .run(rules, result -> {});
            assertThat(results).hasSameSizeAs(rules);
            assertThat(failed(results))
                    .as("rules that fail on a correct poller, style " + style)
                    .isEmpty();
        }
    }
}
