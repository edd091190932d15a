package io.thrust.poll;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Discovery in a virtual machine where everything is a named module. */
class ProviderModulePathTest {
    private static final String DESCRIPTOR = """
            module zoo.app {
                requires io.thrust.api;
                provides io.thrust.poll.PollerProvider with
                    zoo.app.Orphan, zoo.app.Panda, zoo.app.StaticThrows, zoo.app.Factory, zoo.app.FactoryThrows;
            }
            """;

    private static final String MAIN = """
            package zoo.app;
            import io.thrust.poll.*;
            public final class Main {
                public static void main(String[] args) {
                    System.out.println(PollerProvider.class.getModule() + ", " + Main.class.getModule());
                    System.out.println("selected " + Pollers.select().getClass().getName());
                    System.out.println("by name " + Pollers.select("made").getClass().getName());
                    System.out.println(Pollers.explain());
                }
            }
            """;

    private static final String BASE = """
            package zoo.app;
            import io.thrust.poll.*;
            import java.net.SocketAddress;
            import java.util.*;
            public abstract class Base implements PollerProvider {
                public String name() { return getClass().getSimpleName().toLowerCase(Locale.ROOT); }
                public int priority() { return 10; }
                public Set<Mode> modes() { return EnumSet.of(Mode.EDGE); }
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
            """;

    @TempDir
    Path directory;

    @Test
    void providersOfModulesAreFoundAndBrokenOnesHideNothing() throws Exception {
        Path classes = compile();

        String output = run(Zoo.apiClasses().toString(), classes.toString());

        assertThat(output.lines())
                .startsWith(
                        "module io.thrust.api, module zoo.app",
                        "selected zoo.app.Panda",
                        "by name zoo.app.Made",
                        "Poller provider: panda, the best available (the system property thrust.poller is not set).",
                        "Installed:",
                        "  panda (zoo.app.Panda): chosen; available, priority 50, modes EDGE",
                        "  made (zoo.app.Made): not chosen: its priority is lower than that of panda; available,"
                                + " priority 10, modes EDGE");
        assertThat(output)
                .contains("Unable to load zoo.app.Orphan")
                .contains("java.lang.ClassNotFoundException: zoo.app.Gone")
                .contains("  zoo.app.StaticThrows: not available: its static initialiser failed:"
                        + " java.lang.IllegalStateException: static boom")
                .containsPattern(
                        "zoo\\.app\\.FactoryThrows\\.provider\\(\\) failed: java\\.lang\\.IllegalStateException: factory boom")
                .contains("Not installed:")
                .doesNotContain("does not implement")
                .containsOnlyOnce("(zoo.app.Panda)");
    }

    /** One layer, two loaders of which one is the other's parent: each of them leads to all of the layer's modules. */
    @Test
    void aProviderThatTwoLoadersOfALayerLeadToIsOne() throws Exception {
        Path classes = compile();
        try (LayerLoader parent = new LayerLoader(Zoo.apiClasses(), null);
                LayerLoader child = new LayerLoader(classes, parent)) {
            ModuleLayer boot = ModuleLayer.boot();
            Configuration modules = boot.configuration()
                    .resolve(ModuleFinder.of(Zoo.apiClasses(), classes), ModuleFinder.of(), Set.of("zoo.app"));
            ModuleLayer.defineModules(modules, List.of(boot), name -> name.equals("zoo.app") ? child : parent);

            Object text = Class.forName(Pollers.class.getName(), true, child)
                    .getMethod("explain", ClassLoader.class)
                    .invoke(null, child);

            assertThat(text.toString())
                    .containsOnlyOnce("panda (zoo.app.Panda)")
                    .containsOnlyOnce("made (zoo.app.Made)")
                    .containsOnlyOnce("factory boom");
        }
    }

    private Path compile() throws IOException {
        source("module-info", DESCRIPTOR);
        source("zoo/app/Main", MAIN);
        source("zoo/app/Base", BASE);
        source("zoo/app/Gone", "package zoo.app; public abstract class Gone extends Base {}");
        source("zoo/app/Orphan", "package zoo.app; public class Orphan extends Gone {}");
        source(
                "zoo/app/Panda",
                "package zoo.app; public class Panda extends Base { public int priority() { return 50; } }");
        source(
                "zoo/app/StaticThrows",
                "package zoo.app; public class StaticThrows extends Base {"
                        + " static { if (true) throw new IllegalStateException(\"static boom\"); } }");
        source("zoo/app/Made", "package zoo.app; class Made extends Base {}");
        source(
                "zoo/app/Factory",
                "package zoo.app; public final class Factory {"
                        + " public static io.thrust.poll.PollerProvider provider() { return new Made(); } }");
        source(
                "zoo/app/FactoryThrows",
                "package zoo.app; public final class FactoryThrows { public static io.thrust.poll.PollerProvider provider() {"
                        + " throw new IllegalStateException(\"factory boom\"); } }");
        Path classes = directory.resolve("classes");
        String api = Zoo.apiClasses().toString();
        try (var sources = Files.walk(directory.resolve("source"))) {
            String[] files =
                    sources.filter(Files::isRegularFile).map(Path::toString).toArray(String[]::new);
            String[] arguments = new String[files.length + 4];
            System.arraycopy(new String[] {"-d", classes.toString(), "-p", api}, 0, arguments, 0, 4);
            System.arraycopy(files, 0, arguments, 4, files.length);
            Zoo.javac(arguments);
        }
        Files.delete(classes.resolve("zoo/app/Gone.class"));
        // As backends do, which are services both ways; in a module the declaration counts.
        Path services = classes.resolve(Zoo.SERVICES_FILE);
        Files.createDirectories(services.getParent());
        Files.write(services, List.of("zoo.app.Panda", "zoo.app.Factory"));

        return classes;
    }

    private void source(String name, String text) throws IOException {
        Path file = directory.resolve("source").resolve(name + ".java");
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private String run(String... modulePath) throws IOException, InterruptedException {
        Path output = directory.resolve("output.txt");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-p",
                        String.join(System.getProperty("path.separator"), modulePath),
                        "-m",
                        "zoo.app/zoo.app.Main")
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS))
                    .as("ended in time")
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        String text = Files.readString(output);
        assertThat(process.exitValue()).as(text).isZero();
        return text;
    }

    /** A loader of modules: it finds what its directory holds, whatever module it is asked for. */
    private static final class LayerLoader extends URLClassLoader {
        LayerLoader(Path directory, ClassLoader parent) throws IOException {
            super(new URL[] {directory.toUri().toURL()}, parent);
        }

        @Override
        protected Class<?> findClass(String module, String name) {
            try {
                return findClass(name);
            } catch (ClassNotFoundException e) {
                return null;
            }
        }
    }
}
