package io.thrust.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

/** Reports of failures, with whatever a message may contain. */
class ReportsTest {
    private final RuleText rule = Specification.ofThisKit().rule("1.1");
    private final RuleResult failed = new RuleResult(
            rule,
            RuleResult.Status.FAILED,
            Duration.ofMillis(1234),
            "<b>&\"\u0000 broke\nsecond line",
            new AssertionError("<broke>"));

    @Test
    void xmlIsWellFormedAndCounts() throws Exception {
        Element suite = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(Reports.xml("mine", List.of(failed)))))
                .getDocumentElement();
        assertThat(suite.getAttribute("failures")).isEqualTo("1");
        Element failure = (Element) suite.getElementsByTagName("failure").item(0);
        assertThat(failure.getAttribute("message")).isEqualTo("<b>&\"? broke");
        assertThat(failure.getTextContent()).contains("second line", "java.lang.AssertionError: <broke>");
        assertThat(((Element) suite.getElementsByTagName("testcase").item(0)).getAttribute("time"))
                .isEqualTo("1.234");
    }

    @Test
    void theElementsOfThePageEscapeMessages() {
        String page = Page.of(Map.of("mine", List.of(failed)));
        assertThat(page)
                .contains("does not conform", "&lt;b&gt;&amp;&quot;? broke")
                .doesNotContain("<b>&\"");
    }

    @Test
    void thePageSaysWhatFailedAndWhatToCheckBeforeAllRules() {
        RuleFailure failure =
                new RuleFailure(rule, new AssertionError("it stayed silent ==> expected: <true> but was: <false>"));
        RuleResult broken =
                new RuleResult(rule, RuleResult.Status.FAILED, Duration.ZERO, failure.getMessage(), failure);
        String page = Page.of(Map.of("mine", List.of(broken)));
        assertThat(page)
                .containsSubsequence(
                        "mine</a> does not conform",
                        "What failed",
                        "it stayed silent</div>",
                        rule.hints().get(0),
                        "All rules")
                .doesNotContain("expected: <true>", "expected: &lt;true&gt; but was: &lt;false&gt;</div>");
    }

    @Test
    void onlyARunOfAllRulesConforms() {
        RuleResult passed = new RuleResult(rule, RuleResult.Status.PASSED, Duration.ZERO, "", null);
        assertThat(Page.of(Map.of("mine", List.of(passed))))
                .contains("passes the 1 of ")
                .doesNotContain("conform");
        List<RuleResult> all = Specification.ofThisKit().rules().stream()
                .map(each -> new RuleResult(each, RuleResult.Status.PASSED, Duration.ZERO, "", null))
                .toList();
        assertThat(Page.of(Map.of("mine", all))).contains("mine</a> conforms");
    }
}
