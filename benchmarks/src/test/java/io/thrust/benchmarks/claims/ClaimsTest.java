package io.thrust.benchmarks.claims;

import static org.assertj.core.api.Assertions.assertThat;

import io.thrust.poll.DiscoveredProvider;
import io.thrust.poll.Pollers;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Each measurement runs to its end and has a figure for all that it names, for a moment each: no time is looked at. */
@EnabledOnOs(OS.LINUX)
@Timeout(300)
class ClaimsTest {
    private static final int HEAD_LINES = 2;

    @Test
    void threadsAreMeasuredOfEachKindThatThisJdkHas() {
        List<List<String>> rows = rows(run("threads", "--samples", "20", "--parked", "5"));

        for (String kind : List.of("platform", "task")) {
            assertThat(rows)
                    .filteredOn(row -> row.get(0).equals(kind))
                    .hasSize(4)
                    .allSatisfy(ClaimsTest::isComplete);
        }
        assertThat(rows)
                .filteredOn(row -> row.get(0).equals("remote task"))
                .hasSize(3)
                .allSatisfy(ClaimsTest::isComplete);
        assertThat(rows)
                .filteredOn(row -> row.get(0).startsWith("virtual"))
                .hasSize(4)
                .allSatisfy(row -> assertThat(String.join(" ", row).contains("not on this JDK"))
                        .isNotEqualTo(VirtualThreads.exist()));
    }

    @Test
    void theSameWorkIsDoneByAnyNumberAndLoopThreadsCarryTheirNames() {
        List<List<String>> rows = rows(run("oversubscription", "--pieces", "20", "--threads", "1,3", "--loops", "2,3"));

        assertThat(rows).hasSize(VirtualThreads.exist() ? 6 : 4).allSatisfy(ClaimsTest::isComplete);
        List<List<String>> loops = rows.subList(rows.size() - 2, rows.size());
        assertThat(loops).allSatisfy(row -> assertThat(row.get(row.size() - 1)).isEqualTo(row.get(0)));
    }

    @Test
    void countersAreMeasuredWithEachNumberOfThreads() {
        String text = run(
                "counters",
                "--threads",
                "1,2",
                "--shard-threads",
                "2",
                "--forks",
                "0",
                "--iterations",
                "1",
                "--millis",
                "10");

        List<List<String>> rows = rows(text);
        // Five ways to count, four to use a buffer, seven numbers of shards and the adder, two places of the head.
        assertThat(rows).hasSize(5 + 4 + 8 + 2 * 2).allSatisfy(ClaimsTest::isComplete);
    }

    @Test
    void aSnapshotIsNeverOfTwoEditionsNorIsALockedTable() {
        List<List<String>> rows =
                rows(run("snapshot", "--routes", "50", "--readers", "2", "--updates", "60,0", "--seconds", "0.1"));

        assertThat(rows).hasSize(2 * 3).allSatisfy(ClaimsTest::isComplete);
        int mixed = 7;
        assertThat(rows)
                .filteredOn(row -> !row.get(0).equals("concurrent map"))
                .hasSize(2 * 2)
                .allSatisfy(row -> assertThat(row.get(mixed)).isEqualTo("0"));
    }

    @Test
    void memoryOfTasksAndOfConnectionsAtBothEndsIsMeasuredOnEachPollerAndIsSmall() {
        String text = run("memory", "--tasks", "2000", "--connections", "300");

        List<String> kinds = new ArrayList<>(pollers());
        kinds.add(ConnectionProbe.BARE);
        List<String> names = new ArrayList<>(List.of(MemoryProbe.BARE, MemoryProbe.OWN, MemoryProbe.SLEEP));
        kinds.forEach(kind -> names.add(kind + ", accepted"));
        kinds.forEach(kind -> names.add(kind + ", connected"));
        List<List<String>> rows =
                rows(text).stream().filter(row -> !row.get(0).startsWith("`")).toList();
        assertThat(rows).extracting(row -> row.get(0)).containsExactlyElementsOf(names);
        assertThat(rows).allSatisfy(ClaimsTest::isComplete);
        // Unlike times these do not depend on how busy the machine is.
        double task = number(rows, MemoryProbe.OWN);
        assertThat(task).isBetween(50.0, 100.0);
        for (String end : List.of(", accepted", ", connected")) {
            double bare = number(rows, ConnectionProbe.BARE + end);
            for (String poller : pollers()) {
                double connection = number(rows, poller + end) - (poller.equals("nio") ? bare : 0);
                assertThat(connection).as(poller + end).isBetween(task, 600.0);
            }
        }
        assertThat(text).contains("| `io.thrust.task.TaskCell` |", "| `io.thrust.reactor.Registration` |");
    }

    @Test
    void growthIsMeasuredOfTasksAndTimers() {
        List<List<String>> rows = rows(run("growth", "--tasks", "1,1000", "--timers", "1,100"));

        assertThat(rows).hasSize(4).allSatisfy(ClaimsTest::isComplete);
    }

    @Test
    void wakeUpsAreMeasuredOnEachPoller() {
        List<List<String>> rows = rows(run("wakeup", "--wakes", "50", "--rounds", "1"));

        List<String> names = new ArrayList<>(List.of(WakeupProbe.SELECTOR));
        names.addAll(pollers());
        pollers().forEach(poller -> names.add(WakeupProbe.TASK_ON + poller));
        assertThat(rows)
                .extracting(row -> row.get(0))
                .filteredOn(name -> !name.equals("c"))
                .containsExactlyElementsOf(names);
        assertThat(rows).allSatisfy(ClaimsTest::isComplete);
    }

    private static List<String> pollers() {
        return Pollers.discover().stream()
                .filter(DiscoveredProvider::isAvailable)
                .map(DiscoveredProvider::name)
                .toList();
    }

    private static String run(String... arguments) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        int status = Main.run(new PrintStream(bytes, true, StandardCharsets.UTF_8), arguments);

        String text = bytes.toString(StandardCharsets.UTF_8);
        assertThat(status).as(text).isZero();
        assertThat(text).startsWith("# ").contains("processors; Linux ", "load before: ");
        return text;
    }

    private static double number(List<List<String>> rows, String name) {
        return rows.stream()
                .filter(row -> row.get(0).equals(name))
                .mapToDouble(row -> Double.parseDouble(row.get(1).replace(",", "")))
                .findFirst()
                .orElseThrow();
    }

    /** The cells of the rows of all tables, without their heads. */
    private static List<List<String>> rows(String text) {
        List<List<String>> rows = new ArrayList<>();
        int line = 0;
        for (String printed : text.lines().toList()) {
            line = printed.startsWith("| ") ? line + 1 : 0;
            if (line > HEAD_LINES) {
                rows.add(List.of(printed.substring(2, printed.length() - 2).split(" \\| ", -1)));
            }
        }
        return rows;
    }

    private static void isComplete(List<String> row) {
        assertThat(row.subList(1, row.size())).doesNotContain("-", "null", "NaN", "");
    }
}
