package io.thrust.poll;

import io.thrust.poll.KnownBackends.KnownBackend;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Chooses among what was found, and words the outcome. */
final class Selection {
    private final Request request;
    private final List<DiscoveredProvider> found;

    /** @param found best first */
    Selection(Request request, List<DiscoveredProvider> found) {
        this.request = request;
        this.found = found;
    }

    /**
     * The provider chosen. An order asks no other provider whether it is available: that may load native code, which
     * whoever orders another backend does not want. Only an order that fails asks all, to tell of all.
     *
     * @param discovery finds the providers, and asks those whether they are available whose names it is told to
     */
    static PollerProvider choose(Request request, Function<Predicate<String>, List<DiscoveredProvider>> discovery) {
        String wanted = request.wanted();
        if (wanted != null) {
            List<DiscoveredProvider> named = discovery.apply(wanted::equals).stream()
                    .filter(entry -> wanted.equals(entry.name()))
                    .toList();
            if (named.size() == 1 && named.get(0).isAvailable()) {
                return new Selection(request, named).choose();
            }
        }
        return new Selection(request, discovery.apply(name -> true)).choose();
    }

    private PollerProvider choose() {
        PollerProvider provider = chosen().provider();
        if (provider == null) {
            throw new IllegalStateException("an entry without a provider was chosen");
        }
        return provider;
    }

    String explain() {
        DiscoveredProvider chosen;
        try {
            chosen = chosen();
        } catch (PollerSelectionException e) {
            return "Poller provider: none. " + e.getMessage();
        }
        StringBuilder text = new StringBuilder("Poller provider: ").append(chosen.name());
        text.append(request.wanted() == null ? ", the best available (" : " (").append(request.origin());
        text.append(").\nInstalled:\n");
        for (DiscoveredProvider entry : found) {
            appendEntry(text, entry, entry == chosen ? "chosen; " + capabilities(entry) : verdict(entry, chosen));
        }
        appendMissing(text);
        return text.toString().stripTrailing();
    }

    private DiscoveredProvider chosen() {
        String wanted = request.wanted();
        if (wanted == null) {
            DiscoveredProvider best = best();
            if (best == null) {
                String what = found.isEmpty() ? "installed" : "available";
                throw failure("No poller provider is " + what + " (" + request.origin() + ").", found);
            }
            refuseSharedName(best);
            return best;
        }
        List<DiscoveredProvider> named =
                found.stream().filter(entry -> wanted.equals(entry.name())).toList();
        if (named.isEmpty()) {
            throw failure(unknown(wanted), found);
        }
        DiscoveredProvider first = named.get(0);
        refuseSharedName(first);
        if (!first.isAvailable()) {
            String reason = ending(first.availability().reason());
            throw failure(
                    "The poller provider \"" + wanted + "\" is not available (" + request.origin() + "): " + reason,
                    named);
        }
        return first;
    }

    private @Nullable DiscoveredProvider best() {
        for (DiscoveredProvider entry : found) {
            if (entry.isAvailable()) {
                return entry;
            }
        }
        return null;
    }

    /** Which of two classes a name means is nobody's guess to make; nor does it depend on what works here. */
    private void refuseSharedName(DiscoveredProvider entry) {
        List<String> classes = classesNamed(entry);
        if (classes.size() > 1) {
            throw failure(
                    "The poller provider \"" + entry.name() + "\" is not unique (" + request.origin() + "): "
                            + String.join(" and ", classes) + " have this name; keep one of them.",
                    found);
        }
    }

    private List<String> classesNamed(DiscoveredProvider entry) {
        return found.stream()
                .filter(other -> other.provider() != null && Objects.equals(other.name(), entry.name()))
                .map(DiscoveredProvider::className)
                .toList();
    }

    private String unknown(String wanted) {
        for (KnownBackend backend : KnownBackends.all()) {
            if (backend.name().equals(wanted)) {
                return "The poller provider \"" + wanted + "\" is not installed (" + request.origin() + ").\nAdd "
                        + backend.coordinates() + " to the class path or module path.";
            }
        }
        String text = "There is no poller provider named \"" + wanted + "\" (" + request.origin() + ").";
        Set<String> names = installedNames();
        KnownBackends.all().forEach(backend -> names.add(backend.name()));
        String near = Spelling.nearest(wanted, names);
        return near == null ? text : text + "\nDid you mean \"" + near + "\"?";
    }

    private PollerSelectionException failure(String head, List<DiscoveredProvider> concerned) {
        StringBuilder text = new StringBuilder(head);
        text.append(found.isEmpty() ? "\nInstalled: none\n" : "\nInstalled:\n");
        for (DiscoveredProvider entry : found) {
            appendEntry(text, entry, entry.availability().toString());
        }
        appendMissing(text);
        DiscoveredProvider best = best();
        if (request.wanted() != null && best != null && classesNamed(best).size() == 1) {
            text.append("Where no name is given, \"").append(best.name()).append("\" is chosen, the best available.\n");
        }
        List<Throwable> causes = new ArrayList<>();
        for (DiscoveredProvider entry : concerned) {
            Throwable cause = entry.availability().cause();
            if (cause != null) {
                causes.add(cause);
            }
        }
        Throwable cause = causes.isEmpty() ? null : causes.remove(0);
        PollerSelectionException failure =
                new PollerSelectionException(text.toString().stripTrailing(), cause);
        causes.forEach(failure::addSuppressed);
        return failure;
    }

    private String verdict(DiscoveredProvider entry, DiscoveredProvider chosen) {
        if (!entry.isAvailable()) {
            return entry.availability().toString();
        }
        String but;
        if (request.wanted() != null) {
            but = "another one was asked for";
        } else if (entry.priority() < chosen.priority()) {
            but = "its priority is lower than that of " + chosen.name();
        } else {
            but = chosen.name() + " of the same priority comes first by name";
        }
        return "not chosen: " + but + "; " + capabilities(entry);
    }

    private static String capabilities(DiscoveredProvider entry) {
        String modes = entry.modes().stream().sorted().map(Mode::name).collect(Collectors.joining(", "));
        return "available, priority " + entry.priority() + ", modes " + modes;
    }

    private void appendEntry(StringBuilder text, DiscoveredProvider entry, String verdict) {
        text.append("  ");
        if (entry.name() == null) {
            text.append(entry.className());
        } else {
            text.append(entry.name()).append(" (").append(entry.className()).append(')');
        }
        appendIndented(text.append(": "), verdict);
        List<String> classes = classesNamed(entry);
        if (entry.provider() != null && classes.size() > 1) {
            text.append("    not unique: ")
                    .append(String.join(" and ", classes))
                    .append(" have this name\n");
        }
        Throwable cause = entry.availability().cause();
        if (cause != null && !verdict.contains(Failures.describe(cause))) {
            appendIndented(text.append("    caused by "), Failures.describe(cause));
        }
    }

    /** Ends the line; further lines of the text (linkers write many) stay below their entry. */
    private static void appendIndented(StringBuilder text, String lines) {
        text.append(lines.strip().replaceAll("\\R\\s*", "\n      ")).append('\n');
    }

    private void appendMissing(StringBuilder text) {
        Set<String> installed = installedNames();
        String title = "Not installed:\n";
        for (KnownBackend backend : KnownBackends.all()) {
            if (!installed.contains(backend.name())) {
                text.append(title).append("  ").append(backend.name());
                text.append(" for ").append(backend.systems()).append(": add ");
                text.append(backend.coordinates()).append('\n');
                title = "";
            }
        }
    }

    private Set<String> installedNames() {
        Set<String> names = new TreeSet<>();
        for (DiscoveredProvider entry : found) {
            if (entry.name() != null) {
                names.add(entry.name());
            }
        }
        return names;
    }

    private static String ending(String sentence) {
        String text = sentence.strip();
        return text.endsWith(".") ? text : text + ".";
    }
}
