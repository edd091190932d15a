package io.thrust.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The driver does what it is for, with every server and kind of load, for a moment each: no figure is looked at. */
@EnabledOnOs(OS.LINUX)
@Timeout(300)
class DriverTest {
    private static final Path EXAMPLES = Path.of("..", "examples", "target", "thrust-examples.jar");

    @TempDir
    Path scratch = Path.of("");

    private List<ServerSpec> specs = List.of();

    private Conditions conditions(double seconds) {
        return new Conditions(new Processors(0, 0, false), scratch, seconds, 0);
    }

    @BeforeEach
    void findServers() throws IOException, InterruptedException {
        assumeTrue(Files.isRegularFile(EXAMPLES), "the jar of the examples is not packaged yet");
        Servers servers = new Servers(EXAMPLES, scratch);
        specs = servers.named(servers.names());
    }

    @Test
    void everyServerAnswersEveryLoadOfTheDriversOwnWithoutAnError() throws Exception {
        Comparison comparison = new Comparison(conditions(0.3), 1);
        List<Load> loads =
                List.of(Load.parse("pipe:3"), Load.parse("churn:2"), Load.parse("idle:20"), Load.parse("echo:3"));

        Map<Load, Map<String, List<Window>>> results = comparison.run(specs, loads);

        assertThat(results).hasSize(loads.size());
        results.forEach((load, windows) -> {
            List<String> expected = specs.stream()
                    .filter(spec -> spec.echoes() || load.mode().equals("http"))
                    .map(ServerSpec::name)
                    .toList();
            assertThat(windows.keySet()).containsExactlyElementsOf(expected);
            windows.forEach((name, list) -> {
                assertThat(list.get(0).outcome().errors()).as(name + " " + load).isEmpty();
                assertThat(list.get(0).outcome().operations())
                        .as(name + " " + load)
                        .isPositive();
            });
        });
        assertThat(printed(out -> Comparison.print(results, "selector", out))).contains("| x selector |", "| 1.00 |");
    }

    @Test
    void anOpenLoadKeepsToItsRate() throws Exception {
        List<ServerSpec> ours =
                specs.stream().filter(spec -> spec.name().equals("thrust-nio")).toList();
        try (ServerProcess server = conditions(1).start(ours.get(0), "http")) {
            Outcome outcome = conditions(1).client().runOpen(Load.parse("http:4"), server.port(), 1, 100);

            assertThat(outcome.errors()).isEmpty();
            // As many as were due, or fewer on a slow machine; as fast as answered would be tens of thousands.
            assertThat(outcome.operations() / outcome.seconds()).isBetween(0.1, 110.0);
        }
    }

    @Test
    void wrkLoadsWithAndWithoutKeepAlive() throws Exception {
        assumeTrue(hasWrk(), "there is no wrk");
        List<ServerSpec> ours =
                specs.stream().filter(spec -> spec.name().startsWith("thrust-")).toList();

        String table = printed(out -> new LoadTable(conditions(1), 0).print(ours, List.of(5), out));

        assertThat(table).contains("### thrust-epoll", "### thrust-nio", "| 5 | no |", "| 5 | yes |", "Idle after, ");
        assertThat(table.lines().filter(line -> line.startsWith("| 5 |")))
                .hasSize(2 * ours.size())
                .allMatch(line -> line.endsWith("| none |"));
    }

    private static boolean hasWrk() throws InterruptedException {
        try {
            new ProcessBuilder("wrk", "--version")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private interface Printing {
        void to(PrintStream out) throws Exception;
    }

    private static String printed(Printing printing) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        printing.to(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
