package io.thrust.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The tests of the rules and SPEC.md say the same. */
class SpecificationTest {
    private final Specification specification = Specification.ofThisKit();

    private static Map<String, Method> tests() {
        Map<String, Method> tests = new HashMap<>();
        for (Method method : PollerTck.class.getMethods()) {
            Rule rule = method.getAnnotation(Rule.class);
            if (rule != null) {
                assertThat(tests.put(rule.value(), method))
                        .as("second test of rule " + rule.value())
                        .isNull();
            }
        }
        return tests;
    }

    @Test
    void eachRuleHasOneTestAndEachTestItsRule() {
        assertThat(tests().keySet())
                .containsExactlyInAnyOrderElementsOf(
                        specification.rules().stream().map(RuleText::id).toList());
    }

    @Test
    void levelsAgree() {
        tests().forEach((id, test) -> assertThat(test.getAnnotation(Rule.class).level())
                .as("level of " + test)
                .isEqualTo(specification.rule(id).level()));
    }

    @Test
    void eachRuleIsOneSentenceOfItsLevel() {
        for (RuleText rule : specification.rules()) {
            assertThat(rule.sentence())
                    .as("rule " + rule.id())
                    .containsPattern("\\b" + rule.level() + "\\b")
                    .endsWith(".");
            assertThat(rule.sentence().substring(0, rule.sentence().length() - 1))
                    .as("rule " + rule.id() + " is one sentence")
                    .doesNotContainPattern(Pattern.compile("\\. [A-Z]"));
            for (Level other : Level.values()) {
                if (other != rule.level()) {
                    assertThat(rule.sentence()).as("rule " + rule.id()).doesNotContainPattern("\\b" + other + "\\b");
                }
            }
            assertThat(rule.why()).as("why of rule " + rule.id()).endsWith(".");
            assertThat(rule.hints()).as("hints of rule " + rule.id()).isNotEmpty();
        }
    }

    @Test
    void rulesAscendWithinTheirChapters() {
        int chapter = 0;
        int number = 0;
        for (RuleText rule : specification.rules()) {
            int next = Integer.parseInt(rule.id().substring(rule.id().indexOf('.') + 1));
            if (rule.chapter() != chapter) {
                assertThat(rule.chapter()).as("chapter of " + rule.id()).isEqualTo(chapter + 1);
                chapter = rule.chapter();
                number = 0;
            }
            assertThat(next).as("number of rule " + rule.id()).isGreaterThan(number);
            number = next;
        }
        assertThat(specification.chapters()).hasSize(chapter);
    }

    @Test
    void anIncompleteRuleIsRefused() {
        assertThatThrownBy(() -> Specification.parse("## 1. One\n### 1.1 MUST\nIt MUST.\nWhy: because.\n"))
                .hasMessageContaining("1.1");
        assertThatThrownBy(() -> Specification.parse(
                        ("### 1.1 MUST\nIt MUST.\nWhy: so.\nIf this fails, check:\n- it\n").repeat(2)))
                .hasMessageContaining("two rules 1.1");
    }

    @Test
    void aFailureSaysTheSentenceAndTheHints() {
        RuleText rule = specification.rule("2.4");
        assertThat(new RuleFailure(rule, new AssertionError("what happened")))
                .hasMessageStartingWith("what happened")
                .hasMessageContaining(rule.sentence())
                .hasMessageContaining(rule.hints().get(0))
                .extracting(RuleFailure::ruleId)
                .isEqualTo("2.4");
    }
}
