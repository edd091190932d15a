package io.thrust.poll;

import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One entry that {@link Pollers#discover} found: a provider, or what is wrong with it. Immutable.
 *
 * @param name the provider's name; for one so broken that it cannot say it, the name of the backend known to live in
 *     that package, else null
 * @param className the provider's class; where a services file cannot be read or a line of it names no class, the place
 *     of the fault
 * @param provider the provider, or null if it could not be created or has no valid name
 * @param availability whether it can be used; the reason and cause if not, broken ones included
 * @param priority its {@link PollerProvider#priority}; 0 if unknown
 * @param modes its {@link PollerProvider#modes}; empty if unknown
 */
public record DiscoveredProvider(
        @Nullable String name,
        String className,
        @Nullable PollerProvider provider,
        Availability availability,
        int priority,
        Set<Mode> modes) {

    public DiscoveredProvider {
        Objects.requireNonNull(className, "className");
        Objects.requireNonNull(availability, "availability");
        modes = Set.copyOf(modes);
        if (availability.isAvailable() && (provider == null || name == null)) {
            throw new IllegalArgumentException(className + " cannot be available without a provider that has a name");
        }
    }

    /** Whether this provider can be chosen, provided that no other class has the same name. */
    public boolean isAvailable() {
        return availability.isAvailable();
    }
}
