package io.thrust.tck;

import io.thrust.poll.DiscoveredProvider;
import io.thrust.poll.PollerProvider;
import io.thrust.poll.Pollers;

/** The backends on the class path of these tests. */
final class Backends {
    private Backends() {}

    /** The provider of this name, available or not: the kit skips its rules, with the reason, where it is not. */
    static PollerProvider named(String name) {
        for (DiscoveredProvider found : Pollers.discover()) {
            PollerProvider provider = found.provider();
            if (provider != null && name.equals(found.name())) {
                return provider;
            }
        }
        throw new AssertionError("there is no backend " + name + " here:\n" + Pollers.explain());
    }
}
