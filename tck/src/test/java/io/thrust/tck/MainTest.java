package io.thrust.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
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
                "nio"
            })
    void wrongUsageIsStatusTwo(String line) {
        assertThat(run(line.isEmpty() ? new String[0] : line.split(" "))).isEqualTo(Main.USAGE);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("usage: ");
        assertThat(text()).isEmpty();
    }

    @Test
    void aPollerThatIsNotThereIsStatusThree() {
        assertThat(run("--poller", "no-such-poller")).isEqualTo(Main.UNAVAILABLE);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("no-such-poller", "memory", "nio");
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
                .contains("memory</a></b> conforms", "1 passed, 0 failed, 1 skipped", "no Unix domain sockets");
        Element suite = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(report.resolve("TEST-memory.xml").toFile())
                .getDocumentElement();
        assertThat(suite.getAttribute("tests")).isEqualTo("2");
        assertThat(suite.getAttribute("skipped")).isEqualTo("1");
        assertThat(suite.getElementsByTagName("testcase").getLength()).isEqualTo(2);
    }
}
