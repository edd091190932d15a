package io.thrust.examples;

import io.thrust.poll.DiscoveredProvider;
import io.thrust.poll.Mode;
import io.thrust.poll.PollerProvider;
import io.thrust.poll.PollerSelectionException;
import io.thrust.poll.Pollers;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Lists the pollers that are installed, whether they work here, and which one is chosen. */
@Command(
        name = "pollers",
        description = "Lists the pollers that are installed, whether they work here, and which one is chosen.")
final class PollersCommand implements Callable<Integer> {
    private static final String ROW = "%-8s %-13s %-22s %s%n";

    @Spec
    @SuppressWarnings("NullAway.Init") // by picocli
    private CommandSpec spec;

    PollersCommand() {}

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        out.printf(ROW, "name", "state", "modes", "class, or why not");
        String chosen = null;
        @Nullable PollerSelectionException failure = null;
        try {
            PollerProvider provider = Pollers.select();
            chosen = provider.name();
        } catch (PollerSelectionException e) {
            failure = e;
        }
        List<DiscoveredProvider> found = Pollers.discover();
        for (DiscoveredProvider entry : found) {
            String name = entry.name() == null ? "?" : entry.name();
            out.printf(
                    ROW,
                    name,
                    !entry.isAvailable() ? "not available" : name.equals(chosen) ? "chosen" : "available",
                    modes(entry),
                    entry.isAvailable()
                            ? entry.className()
                            : entry.availability().reason());
        }
        out.flush();
        if (failure != null) {
            throw failure;
        }
        return CommandLine.ExitCode.OK;
    }

    private static String modes(DiscoveredProvider entry) {
        return Arrays.stream(Mode.values())
                .filter(entry.modes()::contains)
                .map(mode -> mode.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(","));
    }
}
