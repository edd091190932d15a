package io.thrust.tck;

import io.thrust.poll.DiscoveredProvider;
import io.thrust.poll.PollerProvider;
import io.thrust.poll.Pollers;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs the kit from the command line. A provider that is not part of this project is put on the class path: {@code java -cp
 * thrust-tck.jar:mine.jar io.thrust.tck.Main --poller mine}.
 *
 * <p>Exit status: 0 all passed, 1 a rule failed, 2 usage, or the report cannot be written, 3 the poller is not there or not
 * available.
 */
public final class Main {
    static final int PASSED = 0;
    static final int FAILED = 1;
    static final int USAGE = 2;
    static final int UNAVAILABLE = 3;

    private final PrintStream out;
    private final PrintStream err;

    Main(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** Runs the kit and ends the JVM with the exit status. */
    public static void main(String[] args) {
        // Rules that hang leave threads behind: the JVM is ended whatever runs.
        System.exit(new Main(System.out, System.err).run(args));
    }

    int run(String... args) {
        Options options;
        try {
            options = Options.parse(args);
        } catch (IllegalArgumentException e) {
            err.println(e.getMessage());
            err.println();
            err.println(Options.USAGE);
            return USAGE;
        }
        if (options.report() != null && options.action() != Options.Action.HELP) {
            try {
                // Before the rules, which take minutes.
                Files.createDirectories(options.report());
            } catch (IOException e) {
                err.println("the report cannot be written to " + options.report() + ": " + e);
                return USAGE;
            }
        }
        return switch (options.action()) {
            case HELP -> {
                out.println(Options.USAGE);
                yield PASSED;
            }
            case LIST -> list(options);
            case ALL -> runAll(options);
            case POLLER -> runOne(options);
        };
    }

    private int list(Options options) {
        Specification specification = Specification.ofThisKit();
        int chapter = 0;
        for (RuleText rule : specification.rules()) {
            if (!options.rules().isEmpty() && !options.rules().contains(rule.id())) {
                continue;
            }
            if (rule.chapter() != chapter) {
                chapter = rule.chapter();
                out.println(chapter + ". " + specification.chapters().get(chapter));
            }
            out.println("  " + rule.id() + " " + rule.level() + "  " + rule.sentence());
        }
        out.println();
        out.println(Pollers.explain());
        return PASSED;
    }

    private int runOne(Options options) {
        String name = options.poller();
        DiscoveredProvider found = null;
        for (DiscoveredProvider each : Pollers.discover()) {
            if (name.equals(each.name())) {
                found = each;
                break;
            }
        }
        if (found == null) {
            err.println("there is no poller \"" + name + "\"");
            err.println("A provider is found if its jar is on the class path and has its class in META-INF/services/"
                    + PollerProvider.class.getName() + ".");
            err.println(Pollers.explain());
            return UNAVAILABLE;
        }
        PollerProvider provider = found.provider();
        if (provider == null || !found.isAvailable()) {
            err.println("poller \"" + name + "\" is not available: "
                    + found.availability().reason());
            err.println(Pollers.explain());
            return UNAVAILABLE;
        }
        Map<String, List<RuleResult>> results = new LinkedHashMap<>();
        results.put(name, runOver(provider, options));
        return finish(results, options);
    }

    private int runAll(Options options) {
        Map<String, List<RuleResult>> results = new LinkedHashMap<>();
        for (DiscoveredProvider found : Pollers.discover()) {
            PollerProvider provider = found.provider();
            if (provider != null && found.isAvailable()) {
                results.put(provider.name(), runOver(provider, options));
            } else {
                out.println("poller " + (found.name() == null ? found.className() : found.name())
                        + " is not available: " + found.availability().reason());
            }
        }
        if (results.isEmpty()) {
            err.println("no poller is available; put one on the class path");
            return UNAVAILABLE;
        }
        return finish(results, options);
    }

    private List<RuleResult> runOver(PollerProvider provider, Options options) {
        out.println("poller " + provider.name() + ", modes " + provider.modes() + ", seed 0x"
                + Long.toHexString(options.environment().seed()));
        Progress progress = new Progress(
                out,
                options.rules().isEmpty()
                        ? Specification.ofThisKit().rules().size()
                        : options.rules().size());
        List<RuleResult> results =
                new KitRun(provider, options.environment(), options.waived()).run(options.rules(), progress::accept);
        out.println();
        return results;
    }

    private int finish(Map<String, List<RuleResult>> results, Options options) {
        int[] counts = new int[RuleResult.Status.values().length];
        List<String> skipped = new ArrayList<>();
        List<String> failed = new ArrayList<>();
        for (Map.Entry<String, List<RuleResult>> each : results.entrySet()) {
            for (RuleResult result : each.getValue()) {
                counts[result.status().ordinal()]++;
                String line = "  " + each.getKey() + " " + result.rule().id() + ": ";
                if (result.status() == RuleResult.Status.SKIPPED) {
                    skipped.add(line + result.detail());
                } else if (result.status() == RuleResult.Status.FAILED) {
                    failed.add(line + Reports.firstLine(result.detail()));
                }
            }
        }
        print("skipped:", skipped);
        print("failed:", failed);
        @Nullable String reportFailure = null;
        if (options.report() != null) {
            try {
                Reports.write(options.report(), results);
                out.println("report: " + options.report().resolve("index.html"));
            } catch (IOException | UncheckedIOException e) {
                reportFailure = "the report could not be written to " + options.report() + ": " + e;
                err.println(reportFailure);
            }
        }
        out.println(counts[0] + " passed, " + counts[1] + " failed, " + counts[2] + " skipped");
        out.flush();
        if (counts[1] > 0) {
            return FAILED;
        }
        return reportFailure == null ? PASSED : USAGE;
    }

    private void print(String title, List<String> lines) {
        if (!lines.isEmpty()) {
            out.println(title);
            lines.forEach(out::println);
        }
    }
}
