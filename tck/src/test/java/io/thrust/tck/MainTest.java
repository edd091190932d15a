package io.thrust.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.thrust.poll.PollerProvider;
import io.thrust.tck.memory.BrokenMemoryProvider;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;

/** The program: exit statuses, the last line, and what it writes. */
class MainTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... args) {
        return new Main(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .run(args);
    }

    private String text() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aRunEndsWithTheCountsAndStatusZero() {
        assertThat(run("--poller", "memory", "--rule", "8", "--rule", "1.1")).isEqualTo(Main.PASSED);
        assertThat(text().lines()).last().isEqualTo("8 passed, 0 failed, 0 skipped");
        assertThat(text()).contains("[  1/8]", "[  8/8]");
    }

    @Test
    void skipsAreListedWithTheirReasons() {
        assertThat(run("--poller=memory", "--rule=5.15")).isEqualTo(Main.PASSED);
        assertThat(text()).contains("memory 5.15: this provider has no Unix domain sockets");
        assertThat(text().lines()).last().isEqualTo("0 passed, 0 failed, 1 skipped");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "--pollers",
                "--poller",
                "--poller memory --all",
                "--all --rule 99.1",
                "--all --patience soon",
                "--all --patience PT0S",
                "--all --walk 0",
                "--all --seed x",
                "--all --waive 1.1",
                "--all=memory",
                "--poller --all",
                "--all --report --rule 8.1",
                "nio"
            })
    void wrongUsageIsStatusTwo(String line) {
        assertThat(run(line.isEmpty() ? new String[0] : line.split(" "))).isEqualTo(Main.USAGE);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("usage: ");
        assertThat(text()).isEmpty();
    }

    @Test
    void helpIsGivenWhateverElseIsSaid() {
        assertThat(run("--help", "--all")).isEqualTo(Main.PASSED);
        assertThat(run("--poller", "memory", "-h")).isEqualTo(Main.PASSED);
        assertThat(text()).contains("usage: ", "exit status: ");
    }

    @Test
    void theListIsOfTheRulesAskedFor() {
        assertThat(run("--list", "--rule", "8.1", "--rule", "8")).isEqualTo(Main.PASSED);
        assertThat(text().lines().filter(line -> line.matches("  \\d+\\.\\d+ .*")))
                .hasSize(7);
        assertThat(text()).startsWith("8. Discovery\n  8.1 MUST");
    }

    @Test
    void aRuleMayBeNamedTwice() {
        assertThat(run("--poller", "memory", "--rule", "8.1", "--rule", "8.1")).isEqualTo(Main.PASSED);
        assertThat(text().lines()).last().isEqualTo("1 passed, 0 failed, 0 skipped");
    }

    @Test
    void aReportThatCannotBeWrittenIsToldBeforeTheRun(@TempDir Path directory) throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        assertThat(run("--poller", "memory", "--rule", "8.1", "--report", file.toString()))
                .isEqualTo(Main.USAGE);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("the report cannot be written to " + file);
        assertThat(text()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "thrust.tck.patience, soon",
        "thrust.tck.silence, PT0S",
        "thrust.tck.scale, 0",
        "thrust.tck.effort, much",
        "thrust.tck.seed, 0xyz",
        "thrust.tck.walk, 0",
        "thrust.tck.walks, many"
    })
    void aSystemPropertyThatCannotBeReadIsNamed(String property, String value) {
        String before = System.getProperty(property);
        System.setProperty(property, value);
        try {
            assertThat(run("--poller", "memory", "--rule", "8.1")).isEqualTo(Main.USAGE);
        } finally {
            if (before == null) {
                System.clearProperty(property);
            } else {
                System.setProperty(property, before);
            }
        }
        assertThat(err.toString(StandardCharsets.UTF_8))
                .startsWith("the system property " + property + " is \"" + value + "\", but must be a ");
    }

    @Test
    void aPollerThatIsNotThereIsStatusThree() {
        assertThat(run("--poller", "no-such-poller")).isEqualTo(Main.UNAVAILABLE);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("no-such-poller", "memory", "nio");
    }

    /** In a JVM of its own, as a person runs it who wrote a poller; it is broken in one way. */
    @Test
    void theStatusOfTheProcessAndItsLastLineSayWhatBecameOfAForeignPoller(@TempDir Path directory) throws Exception {
        Path services = Files.createDirectories(directory.resolve("jar/META-INF/services"));
        Files.writeString(
                services.resolve(PollerProvider.class.getName()), BrokenMemoryProvider.class.getName() + "\n");
        Path report = directory.resolve("report");
        Process broken = start(
                directory,
                "--poller",
                "memory-broken",
                "--rule",
                "2.20",
                "--rule",
                "8.1",
                "--report",
                report.toString());
        Process passing = start(directory, "--poller", "memory-broken", "--rule", "8.1", "--rule", "5.15");
        Process misused = start(directory, "--poler", "memory-broken");
        Process absent = start(directory, "--poller", "no-such-poller");
        List<String> output = lines(broken);
        assertThat(output).last().isEqualTo("1 passed, 1 failed, 0 skipped");
        // Once more at the end, where a person looks.
        assertThat(output.subList(output.indexOf("failed:"), output.size()))
                .anyMatch(line -> line.startsWith("  memory-broken 2.20: "));
        assertThat(broken.waitFor()).isEqualTo(1);
        assertThat(lines(passing)).last().isEqualTo("1 passed, 0 failed, 1 skipped");
        assertThat(passing.waitFor()).isEqualTo(0);
        assertThat(lines(misused)).contains("there is no option --poler");
        assertThat(misused.waitFor()).isEqualTo(2);
        assertThat(lines(absent)).contains("there is no poller \"no-such-poller\"");
        assertThat(absent.waitFor()).isEqualTo(3);
        assertThat(Files.readString(report.resolve("index.html"))).contains("memory-broken</a> does not conform");
    }

    private static Process start(Path directory, String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                        + File.pathSeparator
                        + directory.resolve("jar"),
                Main.class.getName()));
        if (Runtime.version().feature() >= 22) {
            // As the runnable jar's manifest has it: else the Java machine warns on the first line.
            command.add(1, "--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(List.of(args));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static List<String> lines(Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
    }

    @Test
    void listNamesRulesAndPollers() {
        assertThat(run("--list")).isEqualTo(Main.PASSED);
        assertThat(text()).contains("1. Registration", "  2.3 MUST  In one-shot mode", "memory");
    }

    @Test
    void helpSaysTheUsage() {
        assertThat(run("--help")).isEqualTo(Main.PASSED);
        assertThat(text()).contains("--patience", "exit status");
    }

    @Test
    void reportsAreWrittenForPeopleAndMachines(@TempDir Path directory) throws Exception {
        Path report = directory.resolve("new/report");
        assertThat(run("--poller", "memory", "--rule", "8.1", "--rule", "5.15", "--report", report.toString()))
                .isEqualTo(Main.PASSED);
        assertThat(Files.readString(report.resolve("index.html")))
                .contains("memory</a> passes the 2 of ", "1 passed, 0 failed, 1 skipped", "no Unix domain sockets");
        Element suite = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(report.resolve("TEST-memory.xml").toFile())
                .getDocumentElement();
        assertThat(suite.getAttribute("tests")).isEqualTo("2");
        assertThat(suite.getAttribute("skipped")).isEqualTo("1");
        assertThat(suite.getElementsByTagName("testcase").getLength()).isEqualTo(2);
    }
}
