package io.thrust.tck;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes what became of the rules: a page for a person, and JUnit XML for machines. */
final class Reports {
    private Reports() {}

    static void write(Path directory, Map<String, List<RuleResult>> results) throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("index.html"), html(results));
        for (Map.Entry<String, List<RuleResult>> each : results.entrySet()) {
            Files.writeString(directory.resolve("TEST-" + each.getKey() + ".xml"), xml(each.getKey(), each.getValue()));
        }
    }

    private static long count(List<RuleResult> results, RuleResult.Status status) {
        return results.stream().filter(result -> result.status() == status).count();
    }

    static String xml(String poller, List<RuleResult> results) {
        long millis =
                results.stream().mapToLong(result -> result.took().toMillis()).sum();
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        xml.append(String.format(
                Locale.ROOT,
                "<testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"%d\" time=\"%.3f\">\n",
                escape("thrust-tck." + poller),
                results.size(),
                count(results, RuleResult.Status.FAILED),
                count(results, RuleResult.Status.SKIPPED),
                millis / 1000.0));
        for (RuleResult result : results) {
            RuleText rule = result.rule();
            xml.append(String.format(
                    Locale.ROOT,
                    "  <testcase classname=\"%s\" name=\"%s\" time=\"%.3f\"",
                    escape("thrust-tck." + poller + ".chapter" + rule.chapter()),
                    escape(rule.id() + " " + rule.level() + " " + rule.sentence()),
                    result.took().toMillis() / 1000.0));
            switch (result.status()) {
                case PASSED -> xml.append("/>\n");
                case SKIPPED ->
                    xml.append(">\n    <skipped message=\"")
                            .append(escape(result.detail()))
                            .append("\"/>\n  </testcase>\n");
                case FAILED ->
                    xml.append(">\n    <failure message=\"")
                            .append(escape(firstLine(result.detail())))
                            .append("\">")
                            .append(escape(result.detail() + "\n" + stack(result.failure())))
                            .append("</failure>\n  </testcase>\n");
            }
        }
        return xml.append("</testsuite>\n").toString();
    }

    private static String firstLine(String text) {
        int end = text.indexOf('\n');
        return end < 0 ? text : text.substring(0, end);
    }

    private static String stack(@Nullable Throwable failure) {
        if (failure == null) {
            return "";
        }
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    static String html(Map<String, List<RuleResult>> results) {
        StringBuilder page = new StringBuilder();
        page.append("""
                <!DOCTYPE html>
                <html lang="en"><head><meta charset="utf-8"><title>Thrust TCK</title><style>
                body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em; color: #222; }
                h1 { font-size: 1.5em; } h2 { font-size: 1.25em; margin-top: 2em; } h3 { font-size: 1em; margin: 1.4em 0 .3em; }
                .sum { display: flex; gap: 1em; flex-wrap: wrap; }
                .card { border: 1px solid #ccc; border-left: 8px solid #2a8a3e; border-radius: 4px; padding: .6em 1.2em; }
                .card.bad { border-left-color: #c0262d; }
                .strip a { display: inline-block; width: 1em; height: 1em; margin: 1px; border-radius: 2px; }
                table { border-collapse: collapse; width: 100%; } td { border-top: 1px solid #e4e4e4; padding: .25em .6em; vertical-align: top; }
                td.id { white-space: nowrap; width: 3em; } td.st { width: 5em; } td.ms { text-align: right; width: 5em; color: #777; }
                .PASSED { background: #2a8a3e; } .FAILED { background: #c0262d; } .SKIPPED { background: #b9b9b9; }
                td.st span { color: #fff; border-radius: 3px; padding: 0 .5em; font-size: .85em; }
                pre { white-space: pre-wrap; background: #fbf1f1; padding: .6em; margin: .3em 0; } .why { color: #777; }
                </style></head><body><h1>Thrust TCK</h1>
                <p>Each square is a rule: green passed, red failed, grey skipped.</p><div class="sum">
                """);
        results.forEach((poller, rules) -> card(page, poller, rules));
        page.append("</div>\n");
        results.forEach((poller, rules) -> table(page, poller, rules));
        return page.append("</body></html>\n").toString();
    }

    private static void card(StringBuilder page, String poller, List<RuleResult> rules) {
        long failed = count(rules, RuleResult.Status.FAILED);
        page.append("<div class=\"card").append(failed > 0 ? " bad" : "").append("\"><b>");
        page.append("<a href=\"#")
                .append(escape(poller))
                .append("\">")
                .append(escape(poller))
                .append("</a></b> ");
        page.append(failed > 0 ? "does not conform" : "conforms").append("<br>");
        page.append(count(rules, RuleResult.Status.PASSED)).append(" passed, ");
        page.append(failed).append(" failed, ");
        page.append(count(rules, RuleResult.Status.SKIPPED)).append(" skipped<div class=\"strip\">");
        for (RuleResult rule : rules) {
            page.append("<a class=\"")
                    .append(rule.status())
                    .append("\" href=\"#")
                    .append(escape(poller));
            page.append('-').append(rule.rule().id()).append("\" title=\"");
            page.append(escape(rule.rule().id() + " " + rule.rule().sentence())).append("\"></a>");
        }
        page.append("</div></div>\n");
    }

    private static void table(StringBuilder page, String poller, List<RuleResult> rules) {
        page.append("<h2 id=\"")
                .append(escape(poller))
                .append("\">")
                .append(escape(poller))
                .append("</h2>\n");
        int chapter = 0;
        for (RuleResult result : rules) {
            RuleText rule = result.rule();
            if (rule.chapter() != chapter) {
                page.append(chapter == 0 ? "" : "</table>\n");
                chapter = rule.chapter();
                String title = Specification.ofThisKit().chapters().get(chapter);
                page.append("<h3>").append(chapter).append(". ").append(escape(String.valueOf(title)));
                page.append("</h3>\n<table>\n");
            }
            page.append("<tr id=\"")
                    .append(escape(poller))
                    .append('-')
                    .append(rule.id())
                    .append("\"><td class=\"id\">");
            page.append(rule.id())
                    .append("</td><td class=\"st\"><span class=\"")
                    .append(result.status())
                    .append("\">");
            page.append(result.status().name().toLowerCase(Locale.ROOT)).append("</span></td><td>");
            page.append(escape(rule.sentence()));
            switch (result.status()) {
                case PASSED -> {}
                case SKIPPED ->
                    page.append("<div class=\"why\">skipped: ")
                            .append(escape(result.detail()))
                            .append("</div>");
                case FAILED ->
                    page.append("<pre>")
                            .append(escape(result.detail()))
                            .append("</pre><details><summary>trace</summary><pre>")
                            .append(escape(stack(result.failure())))
                            .append("</pre></details>");
            }
            page.append("</td><td class=\"ms\">")
                    .append(result.took().toMillis())
                    .append(" ms</td></tr>\n");
        }
        page.append(chapter == 0 ? "" : "</table>\n");
    }

    /** Escapes markup, and replaces what XML does not allow at all. */
    private static String escape(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> {
            switch (c) {
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '&' -> escaped.append("&amp;");
                case '"' -> escaped.append("&quot;");
                default -> {
                    boolean legal = c == '\n'
                            || c == '\t'
                            || (c >= 0x20 && c < 0xD800)
                            || (c > 0xDFFF && c < 0xFFFE)
                            || c > 0xFFFF;
                    escaped.appendCodePoint(legal ? c : '?');
                }
            }
        });
        return escaped.toString();
    }
}
