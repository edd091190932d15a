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
        Files.writeString(directory.resolve("index.html"), Page.of(results));
        for (Map.Entry<String, List<RuleResult>> each : results.entrySet()) {
            Files.writeString(directory.resolve("TEST-" + each.getKey() + ".xml"), xml(each.getKey(), each.getValue()));
        }
    }

    static long count(List<RuleResult> results, RuleResult.Status status) {
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

    static String firstLine(String text) {
        int end = text.indexOf('\n');
        return end < 0 ? text : text.substring(0, end);
    }

    static String stack(@Nullable Throwable failure) {
        if (failure == null) {
            return "";
        }
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    /** Escapes markup, and replaces what XML does not allow at all. */
    static String escape(String text) {
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
