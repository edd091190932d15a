package io.thrust.poll;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the providers that one class loader sees.
 *
 * <p>Those in named modules come from {@link ServiceLoader}. The services files of the class path are read here, since
 * {@link ServiceLoader} drops a whole file for one bad line, and does not say which provider it was whose superclass is
 * missing.
 */
final class Discovery {
    private static final String SERVICES_FILE = "META-INF/services/" + PollerProvider.class.getName();

    /** Errors after which a lookup counts as stuck: nothing promises that an iterator goes on after it threw. */
    private static final int MAX_ERRORS = 100;

    private static final Comparator<DiscoveredProvider> BEST_FIRST = Comparator.comparing(
                    (DiscoveredProvider d) -> d.provider() == null)
            .thenComparing(Comparator.comparingInt(DiscoveredProvider::priority).reversed())
            .thenComparing(DiscoveredProvider::name, Comparator.nullsLast(Comparator.naturalOrder()))
            .thenComparing(DiscoveredProvider::className);

    private final ClassLoader loader;
    private final Predicate<String> wanted;
    private final Set<String> names = new HashSet<>();
    private final Set<String> errors = new HashSet<>();
    private final Set<Class<?>> seen = new HashSet<>();
    private final List<DiscoveredProvider> found = new ArrayList<>();

    private Discovery(ClassLoader loader, Predicate<String> wanted) {
        this.loader = loader;
        this.wanted = wanted;
    }

    /**
     * What the loader of the SPI finds and, only if that is nothing at all, the thread's context loader.
     *
     * @param wanted says by the name which providers are asked whether they are available
     */
    static List<DiscoveredProvider> everywhere(Predicate<String> wanted) {
        ClassLoader own = PollerProvider.class.getClassLoader();
        List<DiscoveredProvider> found = in(own == null ? ClassLoader.getSystemClassLoader() : own, wanted);
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        return found.isEmpty() && context != null && context != own ? in(context, wanted) : found;
    }

    /** @param wanted says by the name which providers are asked whether they are available */
    static List<DiscoveredProvider> in(ClassLoader loader, Predicate<String> wanted) {
        Discovery discovery = new Discovery(loader, wanted);
        discovery.searchModules();
        discovery.searchClassPath();
        discovery.found.sort(BEST_FIRST);
        return List.copyOf(discovery.found);
    }

    private void searchModules() {
        Iterator<ServiceLoader.Provider<PollerProvider>> services = null;
        for (int failed = 0; failed < MAX_ERRORS; ) {
            ServiceLoader.Provider<PollerProvider> service;
            try {
                if (services == null) {
                    services = ServiceLoader.load(PollerProvider.class, new ModulesOnly(loader)).stream()
                            .iterator();
                }
                if (!services.hasNext()) {
                    return;
                }
                service = services.next();
            } catch (Throwable t) {
                addModuleError(t);
                failed++;
                continue;
            }
            Class<? extends PollerProvider> type = service.type();
            if (type.isInterface() || Modifier.isAbstract(type.getModifiers())) {
                addMade(service);
            } else {
                add(type, service::get);
            }
        }
    }

    /** A module's provider method may declare no more than an interface: then only the instance tells the class. */
    private void addMade(Supplier<PollerProvider> method) {
        PollerProvider made;
        try {
            made = method.get();
        } catch (Throwable t) {
            addModuleError(t);
            return;
        }
        add(made.getClass(), () -> made);
    }

    /** The message of a {@link java.util.ServiceConfigurationError} names the class, its cause does not. */
    private void addModuleError(Throwable thrown) {
        Failures.rethrowIfFatal(thrown);
        String message = thrown.getMessage() == null ? thrown.getClass().getName() : thrown.getMessage();
        String cause = thrown.getCause() == null ? "" : ": " + Failures.describe(thrown);
        addError(KnownBackends.mentionedIn(message), "a provider in a named module", message + cause, thrown);
    }

    private void searchClassPath() {
        Enumeration<URL> files = null;
        for (int failed = 0; failed < MAX_ERRORS; ) {
            String place = SERVICES_FILE + " of " + loader;
            try {
                if (files == null) {
                    files = loader.getResources(SERVICES_FILE);
                }
                if (!files.hasMoreElements()) {
                    return;
                }
                URL file = files.nextElement();
                place = file.toString();
                readServicesFile(file);
            } catch (Throwable t) {
                Failures.rethrowIfFatal(t);
                failed++;
                addError(null, place, "it cannot be read: " + Failures.describe(t), t);
            }
        }
    }

    /** An iterator that is stuck repeats itself; the list does not. */
    private void addError(@Nullable String name, String place, String reason, Throwable cause) {
        if (errors.add(place + reason)) {
            found.add(Inspection.broken(name, place, reason, cause));
        }
    }

    private void readServicesFile(URL file) throws IOException {
        URLConnection connection = file.openConnection();
        // A cached connection would keep the jar open, and with it an undeployed application's file.
        connection.setUseCaches(false);
        List<String> lines;
        try (InputStream in = connection.getInputStream()) {
            lines = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            int comment = line.indexOf('#');
            String name = (comment < 0 ? line : line.substring(0, comment)).strip();
            if (name.isEmpty() || !names.add(name)) {
                continue;
            }
            if (isClassName(name)) {
                addClass(name);
            } else {
                String reason = "\"" + name + "\" is not the name of a class; each line of a services file names one";
                found.add(Inspection.broken(null, file + " line " + (i + 1), reason, null));
            }
        }
    }

    private static boolean isClassName(String name) {
        boolean start = true;
        for (int i = 0, c; i < name.length(); i += Character.charCount(c)) {
            c = name.codePointAt(i);
            if (start ? !Character.isJavaIdentifierStart(c) : c != '.' && !Character.isJavaIdentifierPart(c)) {
                return false;
            }
            start = c == '.';
        }
        return !start;
    }

    private void addClass(String className) {
        Class<?> type;
        try {
            type = Class.forName(className, false, loader);
        } catch (ClassNotFoundException e) {
            found.add(broken(className, "a services file names this class, but it cannot be found", e));
            return;
        } catch (Throwable t) {
            Failures.rethrowIfFatal(t);
            found.add(broken(className, "the class cannot be loaded: " + Failures.describe(t), t));
            return;
        }
        if (type.getModule().isNamed()) {
            return; // its module's declaration decides, and was asked
        }
        if (!PollerProvider.class.isAssignableFrom(type)) {
            found.add(broken(className, whyNoProvider(type), null));
            return;
        }
        add(type, () -> (PollerProvider) type.getConstructor().newInstance());
    }

    private static String whyNoProvider(Class<?> type) {
        String service = PollerProvider.class.getName();
        try {
            Class<?> other = Class.forName(service, false, type.getClassLoader());
            if (other != PollerProvider.class && other.isAssignableFrom(type)) {
                return "it implements another copy of " + service + ", that of " + other.getClassLoader()
                        + ", but this one is that of " + PollerProvider.class.getClassLoader()
                        + "; keep one copy of thrust-api where both see it";
            }
        } catch (ClassNotFoundException | LinkageError e) {
            // Then it surely implements no copy.
        }
        return "the class does not implement " + service;
    }

    private void add(Class<?> type, Callable<? extends PollerProvider> creation) {
        if (!seen.add(type)) {
            return; // a module is met once for each loader of its layer
        }
        DiscoveredProvider entry = Inspection.inspect(type, creation, wanted);
        Availability availability = entry.availability();
        found.add(entry.name() != null ? entry : broken(type.getName(), availability.reason(), availability.cause()));
    }

    private static DiscoveredProvider broken(String className, String reason, @Nullable Throwable cause) {
        return Inspection.broken(KnownBackends.mentionedIn(className), className, reason, cause);
    }

    /** Hides the services files from {@link ServiceLoader}, which then finds the providers in named modules only. */
    private static final class ModulesOnly extends ClassLoader {
        ModulesOnly(ClassLoader parent) {
            super(parent);
        }

        @Override
        public Enumeration<URL> getResources(String name) throws IOException {
            return name.equals(SERVICES_FILE) ? Collections.emptyEnumeration() : super.getResources(name);
        }
    }
}
