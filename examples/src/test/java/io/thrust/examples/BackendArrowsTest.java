package io.thrust.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Backends see the poller SPI alone, never each other, and a backend that does not is caught. */
class BackendArrowsTest {
    @Test
    void theBackendsImportThePollerSpiAlone() throws IOException {
        Set<URL> roots = BackendArrows.roots(getClass().getClassLoader());
        assertThat(roots).hasSizeGreaterThanOrEqualTo(3);

        assertThat(roots)
                .allSatisfy(root -> assertThat(BackendArrows.violations(root))
                        .as(root.toString())
                        .isEmpty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io.thrust.poll.Poller",
                "io.thrust.poll.spi.ReadyBatch",
                "java.util.List",
                "io.thrust.mine.Other",
                "io.thrust.mine.Other[]"
            })
    void anAllowedImportPasses(String imported, @TempDir Path directory) throws IOException {
        assertThat(violationsOfABackendWith(imported, directory)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io.thrust.Stranger",
                "io.thrust.task.Stranger",
                "io.thrust.other.Stranger",
                "io.thrust.tck.Stranger"
            })
    void aForbiddenImportIsCaught(String imported, @TempDir Path directory) throws IOException {
        assertThat(violationsOfABackendWith(imported, directory))
                .singleElement()
                .asString()
                .contains("io.thrust.mine.Backend.field")
                .contains(imported);
    }

    @Test
    void aBackendInAJarIsSeenToo(@TempDir Path directory) throws IOException {
        violationsOfABackendWith("io.thrust.tck.Stranger", directory);
        Path jar = directory.resolve("backend.jar");
        ToolProvider tool = ToolProvider.findFirst("jar").orElseThrow();
        String[] arguments = {
            "cf", jar.toString(), "-C", directory.resolve("backend").toString(), "."
        };
        assertThat(tool.run(System.out, System.err, arguments)).isZero();

        assertThat(violationsOfTheBackendAt(jar)).hasSize(1);
    }

    /** Compiles a backend with one field of the given type and looks at it as at those on the class path. */
    private static List<String> violationsOfABackendWith(String type, Path directory) throws IOException {
        Path backend = Files.createDirectories(directory.resolve("backend"));
        Path others = Files.createDirectories(directory.resolve("others"));
        if (type.endsWith(".Stranger")) {
            int dot = type.lastIndexOf('.');
            compile(others, directory, "package " + type.substring(0, dot) + "; public class Stranger {}");
        }
        compile(
                backend,
                others,
                "package io.thrust.mine; class Other {}",
                "package io.thrust.mine; class Backend { " + type + " field; }");
        Path service = backend.resolve("META-INF/services/io.thrust.poll.PollerProvider");
        Files.createDirectories(service.getParent());
        Files.writeString(service, "io.thrust.mine.Backend\n");

        return violationsOfTheBackendAt(backend);
    }

    private static List<String> violationsOfTheBackendAt(Path classPathEntry) throws IOException {
        URL[] classPath = {classPathEntry.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(classPath, null)) {
            Set<URL> roots = BackendArrows.roots(loader);
            assertThat(roots).hasSize(1);
            return BackendArrows.violations(roots.iterator().next());
        }
    }

    private static void compile(Path output, Path libraries, String... sources) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("--release", "17", "-proc:none", "-d", output.toString()));
        String classPath = System.getProperty("java.class.path");
        arguments.addAll(List.of("-cp", libraries + System.getProperty("path.separator") + classPath));
        for (String source : sources) {
            String name = source.replaceAll("(?s).*class (\\w+) .*", "$1");
            arguments.add(
                    Files.writeString(output.resolve(name + ".java"), source).toString());
        }
        ToolProvider javac = ToolProvider.findFirst("javac").orElseThrow();
        assertThat(javac.run(System.out, System.err, arguments.toArray(String[]::new)))
                .isZero();
    }
}
