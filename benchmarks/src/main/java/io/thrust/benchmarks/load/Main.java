package io.thrust.benchmarks.load;

import io.thrust.benchmarks.Environment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The program that loads servers. */
@Command(
        name = "load",
        mixinStandardHelpOptions = true,
        description = "Loads servers on this machine and prints tables in Markdown.",
        subcommands = {Main.Compare.class, Main.Table.class, Main.Latency.class})
public final class Main {
    private Main() {}

    /** Exits with 0, 1 if a measurement failed, or 2 if the command line is wrong. */
    public static void main(String[] args) {
        CommandLine line = new CommandLine(new Main());
        line.setExecutionExceptionHandler((e, failed, parsed) -> {
            System.err.println("load: " + (e.getMessage() == null ? e : e.getMessage()));
            return e instanceof IllegalArgumentException ? CommandLine.ExitCode.USAGE : CommandLine.ExitCode.SOFTWARE;
        });
        System.exit(line.execute(args));
    }

    /** What the subcommands share. */
    abstract static class Subcommand implements Callable<Integer> {
        @Option(
                names = "--examples",
                defaultValue = "examples/target/thrust-examples.jar",
                description = "thrust-examples.jar (default: ${DEFAULT-VALUE})")
        Path examples = Path.of("");

        @Option(
                names = "--seconds",
                defaultValue = "5",
                description = "length of one measurement (default: ${DEFAULT-VALUE})")
        double seconds;

        @Option(
                names = "--warm-up",
                defaultValue = "5",
                description = "seconds before the first, for each load; goes on while the JIT is busy"
                        + " (default: ${DEFAULT-VALUE})")
        double warmUp;

        @Option(
                names = "--servers",
                split = ",",
                description = "which (default: all): c, thrust-epoll, thrust-nio, selector, netty-epoll-raw,"
                        + " netty-epoll-codec, netty-nio-raw, netty-nio-codec")
        @Nullable List<String> servers;

        @Parameters(
                arity = "0..*",
                paramLabel = "NAME=COMMAND",
                description = "a server of your own: it listens on 127.0.0.1 at PORT and serves MODE, http or echo")
        List<String> commands = List.of();

        @Spec
        CommandSpec spec = CommandSpec.create();

        /** Makes a directory for what is built and printed, which stays: the servers' output is in it. */
        final Conditions conditions() throws IOException {
            return new Conditions(Processors.choose(), Files.createTempDirectory("thrust-load"), seconds, warmUp);
        }

        final List<ServerSpec> specs(Conditions conditions, List<String> usual)
                throws IOException, InterruptedException {
            Servers known = new Servers(examples, conditions.scratch());
            List<String> names = new ArrayList<>(servers != null ? servers : usual);
            if (servers == null) {
                names.retainAll(known.names());
            }
            for (String command : commands) {
                known.addCommand(command);
                names.add(command.substring(0, command.indexOf('=')));
            }
            return known.named(names);
        }

        void printHead(String what, Conditions conditions) {
            List<String> line = new ArrayList<>(List.of("load"));
            line.addAll(spec.root().commandLine().getParseResult().originalArgs());
            Environment.print(what, line, System.out);
            System.out.println(
                    conditions.processors().pins()
                            ? "\nServers are pinned to a processor, clients to another."
                            : "\nServers and clients are not pinned.");
        }
    }

    /** Servers side by side. */
    @Command(
            name = "compare",
            mixinStandardHelpOptions = true,
            description = "CPU time per operation of several servers, as ratios within a round.")
    static final class Compare extends Subcommand {
        @Option(
                names = "--loads",
                split = ",",
                defaultValue = "http:64,http:1000,pipe:64,churn:16,echo:64",
                description = "KIND:CONNECTIONS, the kind being http, pipe (16 requests at once), churn (a connection"
                        + " for each request), echo (64 bytes) or idle (requests on 64, beside CONNECTIONS that do nothing)"
                        + " (default: ${DEFAULT-VALUE})")
        List<String> loads = List.of();

        @Option(names = "--rounds", defaultValue = "5", description = "(default: ${DEFAULT-VALUE})")
        int rounds;

        @Option(
                names = "--base",
                defaultValue = Servers.LIMIT,
                description = "the server that ratios are to (default: ${DEFAULT-VALUE})")
        String base = Servers.LIMIT;

        @Override
        public Integer call() throws IOException, InterruptedException {
            Conditions conditions = conditions();
            List<String> usual = List.of(
                    "c",
                    "thrust-epoll",
                    "thrust-nio",
                    "selector",
                    "netty-epoll-raw",
                    "netty-epoll-codec",
                    "netty-nio-raw",
                    "netty-nio-codec");
            List<Load> parsed = loads.stream().map(Load::parse).toList();
            Comparison comparison = new Comparison(conditions, rounds);
            List<ServerSpec> specs = specs(conditions, usual);
            printHead("Servers compared", conditions);
            Comparison.print(comparison.run(specs, parsed), base, System.out);
            return 0;
        }
    }

    /** One server after the other under wrk. */
    @Command(
            name = "table",
            mixinStandardHelpOptions = true,
            description = "Throughput and latency under wrk, without and with keep-alive; CPU, memory and descriptors"
                    + " before and after.")
    static final class Table extends Subcommand {
        @Option(
                names = "--connections",
                split = ",",
                defaultValue = "100,1000,5000,10000",
                description = "(default: ${DEFAULT-VALUE}); wrk needs a descriptor for each: see ulimit -n")
        List<Integer> connections = List.of();

        @Override
        public Integer call() throws IOException, InterruptedException {
            Conditions conditions = conditions();
            List<ServerSpec> specs = specs(conditions, List.of("thrust-epoll", "thrust-nio"));
            printHead("Under wrk", conditions);
            new LoadTable(conditions, LoadTable.IDLE_SECONDS).print(specs, connections, System.out);
            return 0;
        }
    }

    /** Latency at a rate that does not depend on the answers. */
    @Command(
            name = "latency",
            mixinStandardHelpOptions = true,
            description = "Latency of an open load, at shares of what each server can do.")
    static final class Latency extends Subcommand {
        @Option(names = "--connections", defaultValue = "64", description = "(default: ${DEFAULT-VALUE})")
        int connections;

        @Option(names = "--rounds", defaultValue = "5", description = "(default: ${DEFAULT-VALUE})")
        int rounds;

        @Option(
                names = "--shares",
                split = ",",
                defaultValue = "50,80,95",
                description = "percent of the capacity of the slowest server (default: ${DEFAULT-VALUE})")
        List<Integer> shares = List.of();

        @Override
        public Integer call() throws IOException, InterruptedException {
            Conditions conditions = conditions();
            List<ServerSpec> specs =
                    specs(conditions, List.of("c", "thrust-epoll", "thrust-nio", "netty-epoll-raw", "netty-nio-raw"));
            printHead("Latency of an open load", conditions);
            new OpenLoad(conditions, rounds).print(specs, connections, shares, System.out);
            return 0;
        }
    }
}
