package io.thrust.benchmarks.claims;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Statistics;

/** What it costs to share a counter, by JMH. */
record CountersClaim(List<Integer> threads, int shardThreads, int forks, int iterations, long millis, PrintStream out) {

    void print() throws RunnerException {
        out.println(
                "\n## Counters: millions of operations per second, of all threads together, median and best iteration");
        printByThreads(CounterBenchmark.class);
        out.println("\n## A counted buffer, taken or borrowed: likewise");
        printByThreads(HandleBenchmark.class);
        out.println("\n## Shards of a counter, " + shardThreads + " threads: likewise");
        Table shards = new Table("shards", "M/s");
        Map<Integer, Result<?>> sorted = new TreeMap<>();
        for (RunResult result : run(ShardBenchmark.class.getName(), shardThreads)) {
            sorted.put(Integer.valueOf(result.getParams().getParam("shards")), result.getPrimaryResult());
        }
        sorted.forEach((number, result) -> shards.row(String.valueOf(number), text(result)));
        for (RunResult result : run(CounterBenchmark.class.getName() + ".sharedAdder", shardThreads)) {
            shards.row("`LongAdder`", text(result.getPrimaryResult()));
        }
        shards.print(out);
        out.println(
                "\n## The head of the queue for wake-ups, apart from the loop's own fields or beside them: likewise");
        Table queue = new Table("head", "waking threads", "turns of the loop, M/s", "wake-ups, M/s");
        for (int waking : threads) {
            ChainedOptionsBuilder options =
                    options().include(WakeQueueBenchmark.class.getName()).threadGroups(1, waking);
            for (RunResult result : new Runner(options.build()).run()) {
                queue.row(
                        result.getParams().getParam("head"),
                        waking,
                        text(result.getSecondaryResults().get("turn")),
                        text(result.getSecondaryResults().get("wake")));
            }
        }
        queue.print(out);
    }

    private void printByThreads(Class<?> benchmark) throws RunnerException {
        List<String> heads = new ArrayList<>(List.of("operation"));
        Map<String, List<Object>> rows = new LinkedHashMap<>();
        for (int number : threads) {
            heads.add(number + (number == 1 ? " thread" : " threads"));
            for (RunResult result : run(benchmark.getName(), number)) {
                String name = result.getParams().getBenchmark();
                String method = name.substring(name.lastIndexOf('.') + 1);
                rows.computeIfAbsent(method, row -> new ArrayList<>(List.of(row)))
                        .add(text(result.getPrimaryResult()));
            }
        }
        Table table = new Table(heads.toArray(String[]::new));
        rows.values().forEach(row -> table.row(row.toArray()));
        table.print(out);
    }

    private Collection<RunResult> run(String benchmarks, int number) throws RunnerException {
        return new Runner(options().include(benchmarks).threads(number).build()).run();
    }

    private ChainedOptionsBuilder options() {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .forks(forks)
                .warmupIterations(Math.max(1, iterations / 3))
                .warmupTime(TimeValue.milliseconds(millis))
                .measurementIterations(iterations)
                .measurementTime(TimeValue.milliseconds(millis))
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
        if (Runtime.version().feature() >= 24) {
            // The harness itself needs it, and each JVM would warn of that in the midst of the tables.
            options.jvmArgsAppend("--sun-misc-unsafe-memory-access=allow");
        }
        return options;
    }

    private static String text(@Nullable Result<?> result) {
        if (result == null) {
            return "-";
        }
        Statistics iterations = result.getStatistics();
        return Table.text(iterations.getPercentile(50)) + " (" + Table.text(iterations.getMax()) + ")";
    }
}
