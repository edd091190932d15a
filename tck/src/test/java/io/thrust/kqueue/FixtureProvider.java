package io.thrust.kqueue;

import io.thrust.poll.Availability;
import io.thrust.poll.PollerProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The backend over a library that the tests of {@code backend-kqueue} build: here, in its package, because which library
 * a provider uses is not for its users to choose per instance.
 */
public final class FixtureProvider {
    private static final Map<String, PollerProvider> PROVIDERS = new ConcurrentHashMap<>();

    private FixtureProvider() {}

    /** The provider over this library in this layout; not available, which says why, where the library was not built. */
    public static PollerProvider of(String library, String layout) {
        return PROVIDERS.computeIfAbsent(library + " " + layout, key -> {
            KqueueSupport support = find(library, layout);
            return new KqueueProvider(() -> support);
        });
    }

    private static KqueueSupport find(String library, String layout) {
        Path path = Path.of(System.getProperty("basedir", ""))
                .toAbsolutePath()
                .resolveSibling("backend-kqueue/target/fixture")
                .resolve(library);
        if (!Files.exists(path)) {
            return new KqueueSupport(
                    Availability.unavailable(
                            "the kqueue fixture was not built: " + path + " is missing; run the tests of backend-kqueue"
                                    + " on a Linux machine with gcc",
                            null),
                    null);
        }
        return KqueueSupport.find(
                System.getProperty("os.name"),
                System.getProperty("os.version"),
                System.getProperty("os.arch"),
                path.toString(),
                layout);
    }
}
