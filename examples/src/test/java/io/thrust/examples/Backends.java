package io.thrust.examples;

import io.thrust.poll.DiscoveredProvider;
import io.thrust.poll.PollerProvider;
import io.thrust.poll.Pollers;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;

/** The backends that work here. */
final class Backends {
    private Backends() {}

    static Stream<Named<PollerProvider>> available() {
        return Pollers.discover().stream()
                .filter(DiscoveredProvider::isAvailable)
                .map(found -> Named.of(found.name(), Objects.requireNonNull(found.provider())));
    }
}
