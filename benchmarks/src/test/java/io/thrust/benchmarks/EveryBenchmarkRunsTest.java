package io.thrust.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.thrust.poll.DiscoveredProvider;
import io.thrust.poll.Pollers;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs each benchmark once, so that none rots; what it takes is nobody's concern here. */
@Timeout(300)
class EveryBenchmarkRunsTest {

    @Test
    void eachOneRunsToItsEndOnEachPollerOfThisMachine() throws RunnerException {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .forks(0)
                .warmupIterations(0)
                .measurementIterations(1)
                .measurementTime(TimeValue.milliseconds(10))
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .param("tasks", "100")
                .param("idle", "3")
                .param("pending", "10")
                .param("poller", pollers());
        Set<String> impossible = impossible();
        impossible.forEach(options::exclude);

        Collection<RunResult> results = new Runner(options.build()).run();

        Set<String> ran = results.stream()
                .map(result -> result.getParams().getBenchmark())
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> all = BenchmarkList.defaultList()
                .getAll(OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT), List.of())
                .stream()
                .map(BenchmarkListEntry::getUsername)
                .filter(name -> impossible.stream().noneMatch(name::contains))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(ran).isEqualTo(all).isNotEmpty();
    }

    /** The names of the classes whose subject is not there: {@code .ci/smoke} runs the one about kevent. */
    private static Set<String> impossible() {
        Set<String> names = new TreeSet<>();
        if (Runtime.version().feature() < VirtualThreadBenchmark.NEEDS_JDK) {
            names.add(VirtualThreadBenchmark.class.getSimpleName());
        }
        if (!List.of(pollers()).contains("kqueue")) {
            names.add("KeventBenchmark");
        }
        return names;
    }

    private static String[] pollers() {
        return Pollers.discover().stream()
                .filter(DiscoveredProvider::isAvailable)
                .map(DiscoveredProvider::name)
                .toArray(String[]::new);
    }
}
