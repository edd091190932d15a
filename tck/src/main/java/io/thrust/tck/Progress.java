package io.thrust.tck;

import java.io.PrintStream;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

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
                printTrace(result.failure());
            }
        }
        out.flush();
    }

    /** Where it was noticed, then what was thrown first, which is where the poller's own code shows. */
    private void printTrace(@Nullable Throwable failure) {
        if (failure == null) {
            return;
        }
        printFrames(failure);
        // The failure of a rule repeats what its cause says.
        Throwable cause = failure instanceof RuleFailure ? failure.getCause() : failure;
        Throwable root = cause;
        while (root != null && root.getCause() != null) {
            root = root.getCause();
        }
        if (root != null && root != cause) {
            out.println("    caused by " + root);
            printFrames(root);
        }
    }

    private void printFrames(Throwable thrown) {
        for (StackTraceElement element : thrown.getStackTrace()) {
            if (!element.getClassName().startsWith("org.junit.")
                    && !element.getClassName().startsWith("java.")
                    && !element.getClassName().startsWith("jdk.")) {
                out.println("        at " + element);
            }
        }
    }
}
