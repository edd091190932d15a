package io.thrust.benchmarks.claims;

import io.thrust.benchmarks.Environment;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The program that measures claims. */
@Command(
        name = "claims",
        mixinStandardHelpOptions = true,
        description = "Measures what is claimed of this machine, this JVM and this library; prints tables in Markdown.",
        subcommands = {
            Main.Threads.class,
            Main.Oversubscription.class,
            Main.Counters.class,
            Main.Snapshot.class,
            Main.Memory.class,
            Main.Growth.class,
            Main.Wakeup.class,
        })
public final class Main {
    private static final String DEFAULT = " (default: ${DEFAULT-VALUE})";

    private final PrintStream out;

    private Main(PrintStream out) {
        this.out = out;
    }

    /** Exits with 0, 1 if a measurement failed, or 2 if the command line is wrong. */
    public static void main(String[] args) {
        System.exit(run(System.out, args));
    }

    /** Returns what {@link #main} would exit with. */
    static int run(PrintStream out, String... args) {
        CommandLine line = new CommandLine(new Main(out));
        line.setExecutionExceptionHandler((e, failed, parsed) -> {
            System.err.println("claims: " + (e.getMessage() == null ? e : e.getMessage()));
            return e instanceof IllegalArgumentException ? CommandLine.ExitCode.USAGE : CommandLine.ExitCode.SOFTWARE;
        });
        return line.execute(args);
    }

    /** What the subcommands share. */
    abstract static class Subcommand implements Callable<Integer> {
        @Spec
        private CommandSpec spec = CommandSpec.create();

        abstract void measure(PrintStream out) throws Exception;

        @Override
        public final Integer call() throws Exception {
            PrintStream out = ((Main) spec.root().userObject()).out;
            List<String> arguments = spec.root().commandLine().getParseResult().originalArgs();
            Environment.print(spec.usageMessage().description()[0], arguments, out);
            measure(out);
            return 0;
        }
    }

    @Command(
            name = "threads",
            mixinStandardHelpOptions = true,
            description = "Platform threads, virtual threads and tasks: what each costs.")
    static final class Threads extends Subcommand {
        @Option(names = "--samples", defaultValue = "20000", description = "spawns and rounds that are timed" + DEFAULT)
        int samples;

        @Option(names = "--parked", split = ",", defaultValue = "100,1000,4000", description = "how many" + DEFAULT)
        List<Integer> parked = List.of();

        @Override
        void measure(PrintStream out) throws Exception {
            new ThreadsClaim(samples, parked, out).print();
        }
    }

    @Command(
            name = "oversubscription",
            mixinStandardHelpOptions = true,
            description = "A fixed amount of computing on more and more threads and loops.")
    static final class Oversubscription extends Subcommand {
        @Option(names = "--pieces", defaultValue = "4096", description = "of work, in all" + DEFAULT)
        int pieces;

        @Option(names = "--threads", split = ",", defaultValue = "1,2,4,8,16,32,64", description = "how many" + DEFAULT)
        List<Integer> threads = List.of();

        @Option(names = "--loops", split = ",", defaultValue = "1,2,4,8,16", description = "how many" + DEFAULT)
        List<Integer> loops = List.of();

        @Override
        void measure(PrintStream out) throws Exception {
            new OversubscriptionClaim(pieces, threads, loops, out).print();
        }
    }

    @Command(
            name = "memory",
            mixinStandardHelpOptions = true,
            description = "The Java heap of parked tasks and of idle connections.")
    static final class Memory extends Subcommand {
        @Option(
                names = "--tasks",
                split = ",",
                defaultValue = "1000,10000,100000,1000000",
                description = "how many" + DEFAULT)
        List<Integer> tasks = List.of();

        @Option(
                names = "--connections",
                split = ",",
                defaultValue = "1000,2500,5000",
                description = "how many, or as many as there are descriptors" + DEFAULT)
        List<Integer> connections = List.of();

        @Option(names = "--compact-headers", description = "with -XX:+UseCompactObjectHeaders, from JDK 25 on")
        boolean compactHeaders;

        @Override
        void measure(PrintStream out) throws Exception {
            new MemoryClaim(tasks, connections, compactHeaders, out).print();
        }
    }

    @Command(
            name = "growth",
            mixinStandardHelpOptions = true,
            description = "What one task and one timer cost as their number grows.")
    static final class Growth extends Subcommand {
        @Option(
                names = "--tasks",
                split = ",",
                defaultValue = "1,10,100,1000,10000,100000,1000000",
                description = "how many" + DEFAULT)
        List<Integer> tasks = List.of();

        @Option(
                names = "--timers",
                split = ",",
                defaultValue = "1,10,100,1000,10000,100000",
                description = "how many" + DEFAULT)
        List<Integer> timers = List.of();

        @Override
        void measure(PrintStream out) throws Exception {
            new GrowthClaim(tasks, timers, out).print();
        }
    }

    @Command(
            name = "wakeup",
            mixinStandardHelpOptions = true,
            description = "The time to wake a thread that waits in a poller.")
    static final class Wakeup extends Subcommand {
        @Option(names = "--wakes", defaultValue = "20000", description = "in each round" + DEFAULT)
        int wakes;

        @Option(names = "--rounds", defaultValue = "5", description = "of all" + DEFAULT)
        int rounds;

        @Override
        void measure(PrintStream out) throws Exception {
            new WakeupClaim(wakes, rounds, out).print();
        }
    }

    @Command(
            name = "counters",
            mixinStandardHelpOptions = true,
            description = "What it costs that threads share a counter, a counted buffer, a cache line.")
    static final class Counters extends Subcommand {
        @Option(names = "--threads", split = ",", defaultValue = "1,2,4,8", description = "how many" + DEFAULT)
        List<Integer> threads = List.of();

        @Option(names = "--shard-threads", defaultValue = "8", description = "that share the shards" + DEFAULT)
        int shardThreads;

        @Option(names = "--forks", defaultValue = "1", description = "JVMs for each figure" + DEFAULT)
        int forks;

        @Option(
                names = "--iterations",
                defaultValue = "15",
                description = "short ones, the best of which was disturbed least; a third as many to warm up" + DEFAULT)
        int iterations;

        @Option(names = "--millis", defaultValue = "100", description = "of an iteration" + DEFAULT)
        long millis;

        @Override
        void measure(PrintStream out) throws Exception {
            new CountersClaim(threads, shardThreads, forks, iterations, millis, out).print();
        }
    }

    @Command(
            name = "snapshot",
            mixinStandardHelpOptions = true,
            description = "A table that is mostly read and replaced as a whole.")
    static final class Snapshot extends Subcommand {
        @Option(names = "--routes", defaultValue = "1000", description = "in the table" + DEFAULT)
        int routes;

        @Option(names = "--readers", split = ",", defaultValue = "1,2", description = "threads" + DEFAULT)
        List<Integer> readers = List.of();

        @Option(
                names = "--updates",
                split = ",",
                defaultValue = "1,60,600,6000,0",
                description = "per minute, 0 for as many as possible" + DEFAULT)
        List<Integer> updates = List.of();

        @Option(names = "--seconds", defaultValue = "2", description = "of one measurement" + DEFAULT)
        double seconds;

        @Override
        void measure(PrintStream out) throws Exception {
            new SnapshotClaim(routes, readers, updates, seconds, out).print();
        }
    }
}
