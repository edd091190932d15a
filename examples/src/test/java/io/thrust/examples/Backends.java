package io.thrust.examples;

import io.thrust.poll.PollerProvider;
import io.thrust.poll.Pollers;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;

/** The backends that the tests run over. */
final class Backends {
    /** The name of the one that all tests of this JVM are for, be it available or not. */
    private static final String ONLY = System.getProperty("thrust.test.backend");

    private Backends() {}

    /** Those that work here, if the tests are not for a certain one. */
    static Stream<Named<PollerProvider>> tested() {
        return Pollers.discover().stream()
                .filter(found -> ONLY == null ? found.isAvailable() : ONLY.equals(found.name()))
                .map(found -> Named.of(found.name(), Objects.requireNonNull(found.provider())));
    }
}
