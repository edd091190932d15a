package io.thrust;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.thrust.poll.Poller;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The arrows hold in the compiled classes, and each arrow that is not allowed would be caught. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PackageArrowsTest {
    /** Packages that nothing in this module may import. */
    private static final Set<String> STRANGERS =
            Set.of("io.thrust.nio", "io.thrust.tck", "io.thrust.unheardof", "org.example");

    private JavaClasses fixture;

    @BeforeAll
    void compileAClassForEachArrow(@TempDir Path directory) throws IOException {
        List<String> sources = new ArrayList<>();
        for (String to : targets()) {
            sources.add(source(directory, to, "Target", "public class Target {}"));
            for (String from : PackageArrows.packages()) {
                sources.add(source(directory, from, arrow(to), "class " + arrow(to) + " { " + to + ".Target field; }"));
            }
        }
        sources.add(source(directory, "io.thrust.unheardof", "Lone", "class Lone {}"));
        compile(sources, directory);
        fixture = new ClassFileImporter().importPath(directory);
    }

    @Test
    void theClassesOfThisModuleKeepTheArrows() throws URISyntaxException {
        Path classes = Path.of(
                Poller.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        JavaClasses imported = new ClassFileImporter().importPath(classes);

        assertThat(imported.contain(Poller.class)).isTrue();
        assertThat(violations(imported)).isEmpty();
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @MethodSource("arrows")
    void anArrowIsAllowedOrCaught(String from, String to) {
        JavaClasses two = only(Set.of(from + "." + arrow(to)));

        if (PackageArrows.allows(from, to)) {
            assertThat(violations(two)).isEmpty();
        } else {
            assertThat(violations(two)).anyMatch(line -> line.contains(from + "." + arrow(to) + ".field"));
        }
    }

    @Test
    void aPackageWithoutARuleIsCaught() {
        assertThat(violations(only(Set.of("io.thrust.unheardof.Lone"))))
                .anyMatch(line -> line.contains("io.thrust.unheardof.Lone"));
    }

    @Test
    void aCycleIsCaught() {
        JavaClasses ring = only(Set.of(
                "io.thrust.task.ToIoThrustReactor", "io.thrust.reactor.Target",
                "io.thrust.reactor.ToIoThrustTask", "io.thrust.task.Target"));

        assertThat(violations(ring)).anyMatch(line -> line.contains("Cycle detected"));
    }

    private static Stream<Arguments> arrows() {
        return PackageArrows.packages().stream()
                .flatMap(from -> targets().stream().map(to -> Arguments.of(from, to)));
    }

    private static Set<String> targets() {
        Set<String> all = new TreeSet<>(PackageArrows.packages());
        all.addAll(STRANGERS);
        return all;
    }

    /** The simple name of the fixture class that imports from the given package. */
    private static String arrow(String to) {
        StringBuilder name = new StringBuilder("To");
        for (String part : to.split("\\.")) {
            name.append(Character.toUpperCase(part.charAt(0))).append(part, 1, part.length());
        }
        return name.toString();
    }

    private JavaClasses only(Set<String> names) {
        JavaClasses classes = fixture.that(
                DescribedPredicate.describe("are of the case", javaClass -> names.contains(javaClass.getName())));
        assertThat(classes).hasSameSizeAs(names);
        return classes;
    }

    private static List<String> violations(JavaClasses classes) {
        List<String> lines = new ArrayList<>();
        for (ArchRule rule : PackageArrows.rules()) {
            lines.addAll(rule.evaluate(classes).getFailureReport().getDetails());
        }
        return lines;
    }

    private static String source(Path directory, String packageName, String className, String body) throws IOException {
        Path file = directory.resolve(packageName.replace('.', '/')).resolve(className + ".java");
        Files.createDirectories(file.getParent());
        return Files.writeString(file, "package " + packageName + "; " + body).toString();
    }

    private static void compile(List<String> sources, Path directory) {
        List<String> arguments = new ArrayList<>(List.of("--release", "17", "-proc:none", "-d", directory.toString()));
        arguments.addAll(sources);
        ToolProvider javac = ToolProvider.findFirst("javac").orElseThrow();
        assertThat(javac.run(System.out, System.err, arguments.toArray(String[]::new)))
                .isZero();
    }
}
