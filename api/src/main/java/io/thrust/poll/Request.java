package io.thrust.poll;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What was asked for.
 *
 * @param wanted the name to look for, or null for the best available
 * @param origin who asked, in words that complete a sentence of an error
 */
record Request(@Nullable String wanted, String origin) {

    static Request byProperty() {
        String given = System.getProperty(Pollers.PROPERTY);
        String property = "the system property " + Pollers.PROPERTY + " is ";
        if (given == null) {
            return new Request(null, property + "not set");
        }
        return new Request(normalize(given), given.isBlank() ? property + "blank" : property + '"' + given + '"');
    }

    static Request byName(@Nullable String given) {
        if (given == null || given.isBlank()) {
            return new Request(null, "no name was given");
        }
        return new Request(
                normalize(given),
                "the program asked for \"" + given + "\"; the default is the system property " + Pollers.PROPERTY);
    }

    // Locale.ROOT: in a Turkish locale "NIO" would become "nıo".
    private static @Nullable String normalize(String given) {
        String name = given.strip().toLowerCase(Locale.ROOT);
        return name.isEmpty() ? null : name;
    }
}
