package io.thrust.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/coverage.md} names each case once, and nothing that does not exist. */
class CoverageTest {
    private static final Path ROOT = root();
    private static final Map<String, Integer> CASES = Map.ofEntries(
            Map.entry("L", 28),
            Map.entry("R", 20),
            Map.entry("W", 12),
            Map.entry("T", 15),
            Map.entry("F", 11),
            Map.entry("H", 8),
            Map.entry("C", 10),
            Map.entry("X", 19),
            Map.entry("M", 8),
            Map.entry("S", 8),
            Map.entry("K", 6),
            Map.entry("B", 56));
    private static final Pattern ROW = Pattern.compile("\\| ([A-Z]\\d\\d) \\| ([^|]+) \\| ([^|]+) \\|");
    private static final Pattern RULE = Pattern.compile("rule (\\d+\\.\\d+)");
    private static final Pattern SHARED = Pattern.compile("public abstract class (\\w+Test) ");
    private static final Pattern TEST = Pattern.compile("`(\\w+)\\.(\\w+)`");

    private static Path root() {
        Path here = Path.of("").toAbsolutePath();
        while (!Files.exists(here.resolve("docs/coverage.md"))) {
            here = here.getParent();
            assertThat(here)
                    .as("a directory with docs/coverage.md above this module")
                    .isNotNull();
        }
        return here;
    }

    private static Map<String, String> rows() throws IOException {
        Map<String, String> rows = new LinkedHashMap<>();
        for (String line : Files.readAllLines(ROOT.resolve("docs/coverage.md"))) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                assertThat(rows.put(row.group(1), row.group(3).strip()))
                        .as("second row of " + line)
                        .isNull();
            } else {
                assertThat(line).as("a row that cannot be read").doesNotMatch("\\| [A-Z]\\d.*");
            }
        }
        return rows;
    }

    @Test
    void eachCaseIsThereOnce() throws IOException {
        Set<String> expected = new TreeSet<>();
        CASES.forEach((letter, count) -> {
            for (int i = 1; i <= count; i++) {
                expected.add(String.format("%s%02d", letter, i));
            }
        });
        assertThat(new TreeSet<>(rows().keySet())).isEqualTo(expected);
    }

    @Test
    void whatIsNamedExists() throws IOException {
        Map<String, List<String>> testSources = testSources();
        rows().forEach((id, keptBy) -> {
            int named = 0;
            for (Matcher rule = RULE.matcher(keptBy); rule.find(); named++) {
                assertThat(Specification.ofThisKit().has(rule.group(1)))
                        .as("rule " + rule.group(1) + " of case " + id)
                        .isTrue();
            }
            for (Matcher test = TEST.matcher(keptBy); test.find(); named++) {
                String method = test.group(2);
                assertThat(testSources.getOrDefault(test.group(1), List.of()))
                        .as("a source of test " + test.group() + " of case " + id)
                        .anyMatch(source -> Pattern.compile("void " + method + "\\(")
                                .matcher(source)
                                .find());
            }
            boolean explained = keptBy.matches("(by design|open): .+");
            assertThat(named > 0 || explained)
                    .as("what keeps case " + id + ": " + keptBy)
                    .isTrue();
            if (!explained) {
                String rest = TEST.matcher(RULE.matcher(keptBy).replaceAll("")).replaceAll("");
                assertThat(rest).as("what keeps case " + id).matches("[, ]*");
            }
        });
    }

    /** A test of an abstract class runs on those backends alone that extend it. */
    @Test
    void whatTheBackendsShareIsExtendedByTwoOrMore() throws IOException {
        List<String> sources =
                testSources().values().stream().flatMap(List::stream).toList();
        List<String> shared = sources.stream()
                .flatMap(source -> SHARED.matcher(source).results())
                .map(match -> match.group(1))
                .toList();
        assertThat(shared)
                .isNotEmpty()
                .allSatisfy(name -> assertThat(sources)
                        .filteredOn(source -> source.contains(" extends " + name + " {"))
                        .as("extensions of " + name)
                        .hasSizeGreaterThanOrEqualTo(2));
    }

    @Test
    void eachRuleIsThereForACase() throws IOException {
        String all = String.join("\n", rows().values());
        List<String> unnamed = new ArrayList<>();
        for (RuleText rule : Specification.ofThisKit().rules()) {
            if (!Pattern.compile("rule " + Pattern.quote(rule.id()) + "(?!\\d)")
                    .matcher(all)
                    .find()) {
                unnamed.add(rule.id());
            }
        }
        // The rules that come from the contract and from no case.
        assertThat(unnamed).isEqualTo(beyondTheCases());
    }

    private static List<String> beyondTheCases() throws IOException {
        for (String line : Files.readAllLines(ROOT.resolve("docs/coverage.md"))) {
            if (line.startsWith("Rules from the contract alone: ")) {
                return List.of(line.substring(line.indexOf(':') + 2).split(", "));
            }
        }
        return List.of();
    }

    private static Map<String, List<String>> testSources() throws IOException {
        Map<String, List<String>> sources = new HashMap<>();
        List<Path> folders = new ArrayList<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            modules.map(module -> module.resolve("src/test/java")).forEach(folders::add);
        }
        // The tests that the backends share are what their module is for.
        folders.add(ROOT.resolve("tck/backend-tests/src/main/java"));
        for (Path folder : folders) {
            if (Files.isDirectory(folder)) {
                try (Stream<Path> files = Files.walk(folder)) {
                    files.filter(file -> file.toString().endsWith(".java"))
                            .forEach(file -> sources.computeIfAbsent(
                                            file.getFileName().toString().replace(".java", ""),
                                            name -> new ArrayList<>())
                                    .add(read(file)));
                }
            }
        }
        return sources;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
