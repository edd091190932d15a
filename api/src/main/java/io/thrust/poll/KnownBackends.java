package io.thrust.poll;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The backends that are published with this version, so that an error can say what to add. They are data, in {@code
 * backends.properties}; the code names none, and works without the file.
 */
final class KnownBackends {
    private static final List<KnownBackend> ALL = load();

    private KnownBackends() {}

    /**
     * One of them.
     *
     * @param coordinates what to add to a Maven or Gradle build
     * @param packageName where its provider lives
     * @param systems the operating systems that it is for, in words
     */
    record KnownBackend(String name, String coordinates, String packageName, String systems) {}

    /** All of them, by name. */
    static List<KnownBackend> all() {
        return ALL;
    }

    /** The name of the backend of whose classes one is named in this text, or null. */
    static @Nullable String mentionedIn(String text) {
        for (KnownBackend backend : ALL) {
            if (text.contains(backend.packageName() + ".")) {
                return backend.name();
            }
        }
        return null;
    }

    private static List<KnownBackend> load() {
        Properties table = new Properties();
        try (InputStream in = KnownBackends.class.getResourceAsStream("backends.properties")) {
            if (in != null) {
                table.load(in);
            }
        } catch (IOException | IllegalArgumentException e) {
            // Only a hint in an error is lost.
        }
        return parse(table);
    }

    static List<KnownBackend> parse(Properties table) {
        List<KnownBackend> backends = new ArrayList<>();
        for (String key : new TreeSet<>(table.stringPropertyNames())) {
            if (key.endsWith(".coordinates")) {
                String name = key.substring(0, key.length() - ".coordinates".length());
                String packageName = table.getProperty(name + ".package", "");
                String systems = table.getProperty(name + ".systems", "");
                backends.add(new KnownBackend(name, withoutPlaceholder(table.getProperty(key)), packageName, systems));
            }
        }
        return List.copyOf(backends);
    }

    // Run from an IDE that does not filter resources the version is still a placeholder.
    private static String withoutPlaceholder(String coordinates) {
        int placeholder = coordinates.indexOf(":${");
        return placeholder < 0 ? coordinates : coordinates.substring(0, placeholder);
    }
}
