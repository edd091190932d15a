package io.thrust.tck;

import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The page for a person: the verdict first, then what failed and what to check, then what was skipped and why, and all the
 * rules at the end.
 */
final class Page {
    private static final String HEAD = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>Thrust TCK</title><style>
            body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 66em; padding: 0 1em; color: #222; }
            h1 { font-size: 1.2em; margin: 0; } h2 { font-size: 1.4em; margin: 2em 0 0; }
            h3 { font-size: 1.1em; margin: 1.6em 0 .4em; }
            .facts, .why { color: #666; } .facts { margin: .2em 0 1.4em; }
            .card { border: 1px solid #ccc; border-left: 10px solid #2a8a3e; border-radius: 4px; padding: .8em 1.4em 1em; margin: 1em 0; }
            .bad { border-left-color: #c0262d; }
            .verdict { font-size: 1.7em; font-weight: bold; color: #2a8a3e; } .bad .verdict { color: #c0262d; }
            .verdict a { color: inherit; }
            .chapters { display: grid; grid-template-columns: max-content 1fr max-content; gap: .15em 1em; margin-top: .8em; }
            .chapters div { min-height: 1.35em; }
            .square { display: inline-block; width: 1.15em; height: 1.15em; margin: 1px; border-radius: 2px; color: #fff;
              font: bold .85em/1.15em system-ui, sans-serif; text-align: center; text-decoration: none; vertical-align: middle; }
            .PASSED { background: #2a8a3e; } .FAILED { background: #c0262d; } .SKIPPED { background: #9a9a9a; }
            .bads { color: #c0262d; font-weight: bold; }
            .failure { border-left: 4px solid #c0262d; padding: .1em 0 .1em 1em; margin: 1.2em 0; }
            .failure .what { background: #fbf1f1; padding: .5em .8em; margin: .4em 0; white-space: pre-wrap; overflow-wrap: anywhere; }
            .failure ul { margin: .2em 0; padding-left: 1.4em; }
            table { border-collapse: collapse; width: 100%; } td { border-top: 1px solid #e4e4e4; padding: .25em .6em; vertical-align: top; }
            td.id { white-space: nowrap; width: 3em; } td.st { width: 5em; } td.ms { text-align: right; width: 5em; color: #777; }
            td.st span { color: #fff; border-radius: 3px; padding: 0 .5em; font-size: .85em; }
            details { margin: .3em 0; } summary { cursor: pointer; } pre { white-space: pre-wrap; font-size: .85em; color: #444; }
            </style></head><body>
            """;

    private final StringBuilder html = new StringBuilder(HEAD);
    private final Specification specification = Specification.ofThisKit();

    private Page() {}

    /** The page for these results, by the names of the pollers. */
    static String of(Map<String, List<RuleResult>> results) {
        Page page = new Page();
        page.add("<h1>Thrust TCK</h1><p class=\"facts\">");
        page.text(DateTimeFormatter.ofPattern("d MMM yyyy HH:mm z", Locale.ROOT)
                .format(ZonedDateTime.now(ZoneId.systemDefault())));
        page.text(" \u00b7 Java " + System.getProperty("java.version") + " \u00b7 " + System.getProperty("os.name")
                + " " + System.getProperty("os.version") + " " + System.getProperty("os.arch"));
        page.add("</p>\n");
        results.forEach(page::card);
        results.forEach(page::rest);
        return page.add("</body></html>\n").html.toString();
    }

    private Page add(String markup) {
        html.append(markup);
        return this;
    }

    private Page text(String text) {
        html.append(Reports.escape(text));
        return this;
    }

    private static Map<Integer, List<RuleResult>> byChapter(List<RuleResult> results) {
        Map<Integer, List<RuleResult>> chapters = new TreeMap<>();
        for (RuleResult result : results) {
            chapters.computeIfAbsent(result.rule().chapter(), chapter -> new ArrayList<>())
                    .add(result);
        }
        return chapters;
    }

    private String title(int chapter) {
        return chapter + ". " + specification.chapters().get(chapter);
    }

    private static String anchor(String poller, RuleResult result) {
        String part = result.status() == RuleResult.Status.PASSED ? "-" : "-why-";
        return Reports.escape(poller + part + result.rule().id());
    }

    // ---- the verdict

    private String verdict(List<RuleResult> results) {
        int all = specification.rules().size();
        if (Reports.count(results, RuleResult.Status.FAILED) > 0) {
            return "does not conform";
        }
        return results.size() == all
                ? "conforms"
                : "passes the " + results.size() + " of " + all + " rules that were run";
    }

    private void card(String poller, List<RuleResult> results) {
        long failed = Reports.count(results, RuleResult.Status.FAILED);
        add("<div class=\"card").add(failed > 0 ? " bad" : "").add("\"><div class=\"verdict\"><a href=\"#");
        text(poller).add("\">").text(poller).add("</a> ").text(verdict(results)).add("</div>\n");
        add("<div>" + Reports.count(results, RuleResult.Status.PASSED) + " passed, ");
        add(failed > 0 ? "<span class=\"bads\">" + failed + " failed</span>, " : "0 failed, ");
        add(Reports.count(results, RuleResult.Status.SKIPPED) + " skipped <span class=\"why\">of ");
        add(specification.rules().size() + " rules. Each square is a rule: green passed, red \u00d7 failed,"
                + " grey \u2013 skipped.</span></div>\n<div class=\"chapters\">\n");
        byChapter(results).forEach((chapter, rules) -> {
            add("<div>").text(title(chapter)).add("</div><div>");
            rules.forEach(rule -> square(poller, rule));
            long bad = Reports.count(rules, RuleResult.Status.FAILED);
            add("</div><div class=\"bads\">")
                    .add(bad > 0 ? bad + " failed" : "")
                    .add("</div>\n");
        });
        add("</div></div>\n");
    }

    private void square(String poller, RuleResult result) {
        add("<a class=\"square ").add(result.status().name()).add("\" href=\"#").add(anchor(poller, result));
        add("\" title=\"")
                .text(result.rule().id() + " " + result.rule().sentence())
                .add("\">");
        add(
                switch (result.status()) {
                    case PASSED -> "";
                    case FAILED -> "\u00d7";
                    case SKIPPED -> "\u2013";
                });
        add("</a>");
    }

    // ---- what failed, what was skipped, and everything

    private void rest(String poller, List<RuleResult> results) {
        add("<h2 id=\"").text(poller).add("\">").text(poller).add("</h2>\n");
        if (Reports.count(results, RuleResult.Status.FAILED) > 0) {
            add("<h3>What failed</h3>\n");
            for (RuleResult result : results) {
                if (result.status() == RuleResult.Status.FAILED) {
                    failure(poller, result);
                }
            }
        }
        if (Reports.count(results, RuleResult.Status.SKIPPED) > 0) {
            add("<h3>What was skipped</h3>\n<table>\n");
            for (RuleResult result : results) {
                if (result.status() == RuleResult.Status.SKIPPED) {
                    add("<tr id=\"" + anchor(poller, result) + "\"><td class=\"id\">"
                            + result.rule().id() + "</td><td>");
                    text(result.detail()).add("<div class=\"why\">");
                    text(result.rule().sentence()).add("</div></td></tr>\n");
                }
            }
            add("</table>\n");
        }
        add("<h3>All rules</h3>\n");
        byChapter(results).forEach((chapter, rules) -> chapter(poller, chapter, rules));
    }

    private void failure(String poller, RuleResult result) {
        RuleText rule = result.rule();
        add("<div class=\"failure\" id=\"" + anchor(poller, result) + "\"><b>" + rule.id() + "</b> ");
        text(rule.sentence()).add("<div class=\"what\">");
        text(result.failure() instanceof RuleFailure failure ? failure.happened() : result.detail());
        add("</div>Check:<ul>\n");
        for (String hint : rule.hints()) {
            add("<li>").text(hint).add("</li>\n");
        }
        add("</ul><div class=\"why\">Why it is a rule: ").text(rule.why());
        add("</div><details><summary>trace</summary><pre>").text(Reports.stack(result.failure()));
        add("</pre></details></div>\n");
    }

    private void chapter(String poller, int chapter, List<RuleResult> rules) {
        add("<details open><summary>").text(title(chapter)).add(" <span class=\"why\">");
        add(Reports.count(rules, RuleResult.Status.PASSED) + " of " + rules.size()
                + " passed</span></summary>\n<table>\n");
        for (RuleResult result : rules) {
            String status = result.status().name();
            add("<tr id=\"")
                    .text(poller)
                    .add("-" + result.rule().id() + "\"><td class=\"id\">"
                            + result.rule().id());
            add("</td><td class=\"st\"><span class=\"" + status + "\">" + status.toLowerCase(Locale.ROOT));
            add("</span></td><td>").text(result.rule().sentence());
            if (result.status() != RuleResult.Status.PASSED) {
                add(" <a href=\"#" + anchor(poller, result) + "\">why</a>");
            }
            add("</td><td class=\"ms\">" + result.took().toMillis() + " ms</td></tr>\n");
        }
        add("</table></details>\n");
    }
}
