package io.thrust.poll;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/** Compiles providers of every kind, good and bad, and makes class loaders that see some of them. */
final class Zoo implements AutoCloseable {
    static final String SERVICES_FILE = "META-INF/services/io.thrust.poll.PollerProvider";

    private static final String SOURCE = """
            package zoo;
            import io.thrust.poll.*;
            import java.net.SocketAddress;
            import java.util.*;
            public final class Zoo {
                public abstract static class Base implements PollerProvider {
                    public String name() { return getClass().getSimpleName().toLowerCase(Locale.ROOT); }
                    public int priority() { return 10; }
                    public Set<Mode> modes() { return EnumSet.allOf(Mode.class); }
                    public Availability availability() { return Availability.available(); }
                    public Poller openPoller(int batchCapacity) { throw new UnsupportedOperationException(); }
                    public ListenerSource listen(SocketAddress local, ListenOptions options) {
                        throw new UnsupportedOperationException();
                    }
                    public StreamSource connect(SocketAddress remote, ConnectOptions options) {
                        throw new UnsupportedOperationException();
                    }
                    public PipePair pipe() { throw new UnsupportedOperationException(); }
                }
                public static class Slow extends Base {}
                public static class Lion extends Base { public int priority() { return 50; } }
                public static class Bear extends Base { public int priority() { return 50; } }
                public static class Ibex extends Base {}
                public static class Sloth extends Base { public int priority() { return -1; } }
                public static class Ant extends Base {
                    public String name() { return "wasp"; }
                    public int priority() { return 50; }
                }
                public static class Twin extends Base {
                    public String name() { return "lion"; }
                    public int priority() { return 60; }
                    public Availability availability() { return Availability.unavailable("asleep", null); }
                }
                public static class Down extends Base {
                    private static final Availability NO = Availability.unavailable(
                            "its native part is missing", new UnsatisfiedLinkError("no zoo in the path\\nlooked in: a\\n  b"));
                    public int priority() { return 90; }
                    public Availability availability() { return NO; }
                }
                public static class ConstructorThrows extends Base {
                    public ConstructorThrows() { throw new IllegalStateException("constructor boom"); }
                }
                public static class StaticThrows extends Base {
                    static { if (true) throw new IllegalStateException("static boom"); }
                }
                public static class StaticError extends Base {
                    static { if (true) throw new AssertionError("static boom"); }
                }
                public static class Lazy extends Base {
                    static class Native { static { if (true) throw new AssertionError("lazy boom"); } static void load() {} }
                    public Availability availability() { Native.load(); return Availability.available(); }
                }
                public static class NameThrows extends Base { public String name() { throw new IllegalStateException("boom"); } }
                public static class NameNull extends Base { public String name() { return null; } }
                public static class NameBlank extends Base { public String name() { return " "; } }
                public static class NameUpper extends Base { public String name() { return "Lion"; } }
                public static class PriorityThrows extends Base {
                    public int priority() { throw new IllegalStateException("boom"); }
                }
                public static class ModesThrows extends Base {
                    public Set<Mode> modes() { throw new IllegalStateException("boom"); }
                }
                public static class ModesNull extends Base { public Set<Mode> modes() { return null; } }
                public static class ModesLevel extends Base { public Set<Mode> modes() { return Set.of(Mode.LEVEL); } }
                public static class ModesHole extends Base {
                    public Set<Mode> modes() { return Collections.singleton(null); }
                }
                @SuppressWarnings({"unchecked", "rawtypes"})
                public static class ModesText extends Base { public Set<Mode> modes() { return (Set) Set.of("EDGE"); } }
                public static class AvailabilityThrows extends Base {
                    public Availability availability() { throw new IllegalStateException("boom"); }
                }
                public static class AvailabilityNull extends Base { public Availability availability() { return null; } }
                public static class Deep extends Base { public Availability availability() { return availability(); } }
                public static class NoMemory extends Base { public NoMemory() { throw new OutOfMemoryError("test"); } }
                public static class NoMemoryStatic extends Base {
                    static { if (true) throw new OutOfMemoryError("test"); }
                }
                public static class NoMemoryLater extends Base {
                    public Availability availability() { throw new OutOfMemoryError("test"); }
                }
                public static class Dying extends Base { public int priority() { throw new ThreadDeath(); } }
                public abstract static class Gone extends Base {}
                public interface GoneInterface {}
                public static class Orphan extends Gone {}
                public static class Faceless extends Base implements GoneInterface {}
                public static class NoProvider {}
                static class Hidden extends Base { public Hidden() {} }
                public abstract static class Unborn extends Base {}
                public static class Choosy extends Base { public Choosy(int weight) {} }
            }
            """;

    private final Path directory;
    private final Path classes;
    private final List<URLClassLoader> loaders = new ArrayList<>();
    private int count;

    Zoo(Path directory) throws IOException {
        this.directory = directory;
        Path source = Files.createDirectories(directory.resolve("zoo-source")).resolve("Zoo.java");
        Files.writeString(source, SOURCE);
        classes = directory.resolve("zoo-classes");
        javac("-d", classes.toString(), "-cp", apiClasses().toString(), source.toString());
        Files.delete(classes.resolve("zoo/Zoo$Gone.class"));
        Files.delete(classes.resolve("zoo/Zoo$GoneInterface.class"));
    }

    /** Where the classes and resources of the module under test are. */
    static Path apiClasses() {
        try {
            return Path.of(PollerProvider.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    static void javac(String... arguments) {
        StringWriter output = new StringWriter();
        PrintWriter writer = new PrintWriter(output);
        String[] all = Stream.concat(Stream.of("--release", "17", "-nowarn", "-proc:none"), Arrays.stream(arguments))
                .toArray(String[]::new);
        int result = ToolProvider.findFirst("javac").orElseThrow().run(writer, writer, all);
        if (result != 0) {
            throw new AssertionError("javac says:\n" + output);
        }
    }

    /** The class name of an animal, as a services file has it. */
    static String animal(String simpleName) {
        return "zoo.Zoo$" + simpleName;
    }

    /** A class loader below that of the SPI, with a services file of these lines; a bare word stands for an animal. */
    URLClassLoader loader(String... lines) throws IOException {
        return loader(PollerProvider.class.getClassLoader(), services(lines), classes);
    }

    /** The same with a copy of the SPI of its own: the loader of that copy is this loader. */
    URLClassLoader island(String... lines) throws IOException {
        // Not below the platform loader, which hands on to the modules of the application loader.
        return loader(null, apiClasses(), services(lines), classes);
    }

    URLClassLoader loader(ClassLoader parent, Path... places) throws IOException {
        URL[] urls = new URL[places.length];
        for (int i = 0; i < places.length; i++) {
            urls[i] = places[i].toUri().toURL();
        }
        URLClassLoader loader = new URLClassLoader(urls, parent);
        loaders.add(loader);
        return loader;
    }

    /** A directory that holds the animals' classes. */
    Path classes() {
        return classes;
    }

    /** A new directory that holds nothing but a services file. */
    Path services(String... lines) throws IOException {
        Path root = directory.resolve("services-" + count++);
        Path file = root.resolve(SERVICES_FILE);
        Files.createDirectories(file.getParent());
        List<String> text = Arrays.stream(lines)
                .map(line -> line.matches("[A-Z]\\w*") ? animal(line) : line)
                .toList();
        Files.write(file, text);
        return root;
    }

    @Override
    public void close() throws IOException {
        for (URLClassLoader loader : loaders) {
            loader.close();
        }
    }
}
