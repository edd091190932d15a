package io.thrust.poll;

import java.lang.reflect.InvocationTargetException;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Creates one provider and asks it what it is, trusting none of its code. */
final class Inspection {
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]*");

    private final Class<?> type;
    private String step = "";
    private final Predicate<String> wanted;
    private @Nullable PollerProvider provider;
    private @Nullable String name;
    private int priority;
    private Set<Mode> modes = Set.of();

    private Inspection(Class<?> type, Predicate<String> wanted) {
        this.type = type;
        this.wanted = wanted;
    }

    /** @param wanted says by the name whether to ask if the provider is available, which may load native code */
    static DiscoveredProvider inspect(
            Class<?> type, Callable<? extends PollerProvider> creation, Predicate<String> wanted) {
        Inspection inspection = new Inspection(type, wanted);
        try {
            return inspection.run(creation);
        } catch (Throwable t) {
            Failures.rethrowIfFatal(t);
            return inspection.failed(t);
        }
    }

    /** What cannot be looked at. */
    static DiscoveredProvider broken(@Nullable String name, String place, String reason, @Nullable Throwable cause) {
        return new DiscoveredProvider(name, place, null, Availability.unavailable(reason, cause), 0, Set.of());
    }

    private DiscoveredProvider run(Callable<? extends PollerProvider> creation) throws Exception {
        // Apart from the constructor, so that the error tells one from the other.
        step = "its static initialiser";
        Class.forName(type.getName(), true, type.getClassLoader());

        step = "its constructor";
        PollerProvider created = creation.call();

        step = "name()";
        String givenName = created.name();
        if (givenName == null || !NAME.matcher(givenName).matches()) {
            return nonsense((givenName == null ? "null" : '"' + givenName + '"')
                    + ", but a name has one or more lower-case letters, digits and hyphens");
        }
        provider = created;
        name = givenName;

        step = "priority()";
        priority = created.priority();

        step = "modes()";
        Set<?> givenModes = created.modes();
        if (givenModes == null) {
            return nonsense("null, but must name at least " + Mode.EDGE);
        }
        EnumSet<Mode> known = EnumSet.noneOf(Mode.class);
        for (Object given : givenModes) {
            if (!(given instanceof Mode mode)) {
                return nonsense(givenModes + ", in which " + given + " is no mode");
            }
            known.add(mode);
        }
        if (!known.contains(Mode.EDGE)) {
            return nonsense(known + ", but must name at least " + Mode.EDGE);
        }
        modes = known;

        if (!wanted.test(givenName)) {
            return entry(Availability.unavailable("it was not asked", null));
        }
        step = "availability()";
        Availability availability = created.availability();
        return availability == null ? nonsense("null") : entry(availability);
    }

    private DiscoveredProvider nonsense(String returned) {
        return entry(Availability.unavailable("its " + step + " returned " + returned, null));
    }

    private DiscoveredProvider failed(Throwable thrown) {
        Throwable bare =
                thrown instanceof InvocationTargetException && thrown.getCause() != null ? thrown.getCause() : thrown;
        Throwable cause = Failures.lasting(type, bare);
        String what = step.startsWith("its ") ? step : "its " + step;
        return entry(Availability.unavailable(what + " failed: " + Failures.describe(cause), cause));
    }

    private DiscoveredProvider entry(Availability availability) {
        return new DiscoveredProvider(name, type.getName(), provider, availability, priority, modes);
    }
}
