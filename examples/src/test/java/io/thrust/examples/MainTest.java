package io.thrust.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.thrust.poll.DiscoveredProvider;
import io.thrust.poll.PollerProvider;
import io.thrust.poll.Pollers;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What the commands print, and their exit codes, inside of this JVM. */
class MainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    static Stream<Named<PollerProvider>> backends() {
        return Backends.tested();
    }

    private int run(String... arguments) {
        CommandLine commandLine = Main.commandLine();
        return commandLine
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http", "echo-server", "echo-client", "routes", "fanout", "pollers", "bench"})
    void eachCommandHasHelp(String command) {
        assertThat(run(command, "--help")).isZero();
        assertThat(out.toString()).contains("Usage: thrust-examples " + command);
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void theHelpListsTheCommands() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString())
                .contains("http", "echo-server", "echo-client", "routes", "fanout", "pollers", "bench");
    }

    @Test
    void noCommandIsAWrongUsage() {
        assertThat(run()).isEqualTo(2);
        assertThat(err.toString()).startsWith("Missing command").contains("Usage:");
    }

    @ParameterizedTest
    @ValueSource(strings = {"65536", "-1", "x", "", "80.0", "99999999999"})
    void aWrongPortIsToldOf(String port) {
        assertThat(run("http", "--port=" + port)).isEqualTo(2);
        assertThat(err.toString())
                .contains("--port", "\"" + port + "\" is no port; give a whole number from 0 to 65535");
    }

    @Test
    void thePortIsThatOfTheOptionElseOfTheEnvironmentElseTheUsualOne() {
        Address address = new Address();
        assertThat(address.port(Map.of(), 7)).isEqualTo(7);
        assertThat(address.port(Map.of("PORT", " "), 7)).isEqualTo(7);
        assertThat(address.port(Map.of("PORT", "0"), 7)).isZero();
        CommandLine.populateCommand(address, "--port", "5");
        assertThat(address.port(Map.of("PORT", "6"), 7)).isEqualTo(5);
    }

    @Test
    void aPortInUseIsToldOf() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(run("http", "--port", Integer.toString(taken.getLocalPort())))
                    .isEqualTo(1);
            assertThat(err.toString())
                    .startsWith("http: ")
                    .contains(":" + taken.getLocalPort(), "in use")
                    .hasLineCount(1);
        }
    }

    @Test
    void limitsThatMakeNoSenseAreToldOfAndTheHelpHasTheDefaults() {
        assertThat(run("http", "--idle-timeout=-1")).isEqualTo(2);
        assertThat(err.toString()).contains("--idle-timeout", "-1", "0 for no limit");
        assertThat(run("http", "--max-connections=0")).isEqualTo(2);
        assertThat(err.toString()).contains("--max-connections", "at least 1");
        assertThat(run("http", "--help")).isZero();
        assertThat(out.toString()).contains("--idle-timeout=SECONDS", "60", "--max-connections=N", "65536");
    }

    @ParameterizedTest
    @CsvSource({
        "--table, tree, rwlock",
        "--table, SNAPSHOT, rwlock",
        "--loops, 0, event loops from 1 to 256",
        "--loops, 257, event loops from 1 to 256",
        "--routes, 0, routes from 1 to 65793",
        "--routes, 65794, routes from 1 to 65793",
        "--updates, -1, updates per minute from 0 to 6000000",
        "--updates, 6000001, updates per minute from 0 to 6000000",
    })
    void aRoutingTableThatCannotBeIsToldOf(String option, String value, String allowed) {
        assertThat(run("routes", option + "=" + value)).isEqualTo(2);
        assertThat(err.toString().lines().findFirst().orElseThrow()).contains("'" + option, value, allowed);
    }

    @ParameterizedTest
    @CsvSource({
        "--timeout, 0, milliseconds from 1 to 600000",
        "--total-timeout, 600001, milliseconds from 1 to 600000",
        "--demo, 'never,soon', or never",
        "--demo, -1, from 0 to 600000",
        "--downstream, localhost, HOST:PORT",
        "--downstream, :80, HOST:PORT",
        "--downstream, =localhost:80, HOST:PORT",
        "--downstream, ::1:80, in brackets",
        "--downstream, localhost:0, from 1 to 65535",
        "--downstream, localhost:x, from 0 to 65535",
    })
    void aFanOutThatCannotBeIsToldOf(String option, String value, String allowed) {
        assertThat(run("fanout", option + "=" + value)).isEqualTo(2);
        assertThat(err.toString().lines().findFirst().orElseThrow())
                .contains(
                        "'" + option,
                        value.substring(value.lastIndexOf(value.endsWith(":x") ? ':' : ',') + 1),
                        allowed);
    }

    @ParameterizedTest
    @CsvSource({
        "localhost:80, localhost:80, localhost, 80",
        "a=localhost:80, a, localhost, 80",
        "[::1]:80, [::1]:80, ::1, 80",
        "a=[::1]:80, a, ::1, 80",
    })
    void aServerToAskHasANameAHostAndAPort(String option, String name, String host, int port) {
        assertThat(new DownstreamConverter().convert(option)).isEqualTo(new Downstream(name, host, port));
    }

    @Test
    void aHostThatIsNoneIsToldOf() {
        assertThat(run("echo-server", "--host", "no.such.host.invalid")).isEqualTo(1);
        assertThat(err.toString())
                .startsWith("echo-server: ")
                .contains("\"no.such.host.invalid\"")
                .hasLineCount(1);
    }

    @Test
    void aRefusedConnectionIsToldOf() throws Exception {
        int port;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = closed.getLocalPort();
        }
        assertThat(run("echo-client", "--port", Integer.toString(port))).isEqualTo(1);
        assertThat(err.toString())
                .startsWith("echo-client: ")
                .contains(":" + port, "refused")
                .hasLineCount(1);
    }

    @Test
    void aServerThatIsSilentIsNotWaitedForForEver() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(run("echo-client", "--timeout", "1", "--port", Integer.toString(silent.getLocalPort())))
                    .isEqualTo(1);
            assertThat(err.toString()).startsWith("echo-client: ").hasLineCount(1);
        }
    }

    @ParameterizedTest
    @MethodSource("backends")
    void theEchoClientPrintsWhatComesBack(PollerProvider provider) throws Exception {
        String message = "Grüße ".repeat(100_000);
        try (RunningServer server = RunningServer.echo(provider)) {
            String port = Integer.toString(server.address().getPort());
            assertThat(run("echo-client", "--port", port, "--message", message)).isZero();
        }
        assertThat(out.toString()).isEqualTo(message + System.lineSeparator());
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void pollersListsAllThatIsInstalledAndMarksTheChosenOne() {
        assertThat(run("pollers")).isZero();
        for (DiscoveredProvider found : Pollers.discover()) {
            assertThat(out.toString())
                    .containsPattern("(?m)^" + found.name() + " .*"
                            + (found.isAvailable() ? "available|chosen" : "not available.*"));
        }
        assertThat(out.toString())
                .containsPattern("(?m)^" + Pollers.select().name() + " +chosen .*edge")
                .containsOnlyOnce("chosen");
    }
}
