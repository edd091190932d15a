package io.thrust.tck;

import java.io.PrintStream;
import java.util.Locale;

/** Prints one line per rule as a run goes on, and a failure at once and in full. */
final class Progress {
    private final PrintStream out;
    private final int all;
    private int done;

    Progress(PrintStream out, int all) {
        this.out = out;
        this.all = all;
    }

    void accept(RuleResult result) {
        done++;
        String head = String.format(
                "[%3d/%d] %-7s %-5s %5d ms  ",
                done,
                all,
                result.status().name().toLowerCase(Locale.ROOT),
                result.rule().id(),
                result.took().toMillis());
        switch (result.status()) {
            case PASSED -> out.println(head + result.rule().sentence());
            case SKIPPED -> out.println(head + result.detail());
            case FAILED -> {
                out.println(head + result.detail());
                Throwable failure = result.failure();
                if (failure != null) {
                    for (StackTraceElement element : failure.getStackTrace()) {
                        if (!element.getClassName().startsWith("org.junit.")
                                && !element.getClassName().startsWith("java.")
                                && !element.getClassName().startsWith("jdk.")) {
                            out.println("        at " + element);
                        }
                    }
                }
            }
        }
        out.flush();
    }
}
