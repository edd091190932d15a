package io.thrust.examples;

import io.thrust.poll.PollerSelectionException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command line of the examples. Exit codes: 0, 1 if a command failed, 2 if it was not understood. */
@Command(
        name = "thrust-examples",
        description = "Examples of the Thrust event loop. -Dthrust.poller=NAME before -jar chooses the poller.",
        subcommands = {
            HttpCommand.class,
            EchoServerCommand.class,
            EchoClientCommand.class,
            RoutesCommand.class,
            FanoutCommand.class,
            PollersCommand.class,
            BenchCommand.class
        })
public final class Main implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // by picocli
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Shows this text.")
    @SuppressWarnings("UnusedVariable") // read by picocli
    private boolean help;

    private Main() {}

    public static void main(String[] args) {
        int status = commandLine().execute(args);
        if (status != 0) {
            System.exit(status);
        }
    }

    static CommandLine commandLine() {
        CommandLine commandLine = new CommandLine(new Main());
        IExecutionExceptionHandler handler = (failure, command, parsed) -> {
            PrintWriter err = command.getErr();
            if (isExpected(failure)) {
                err.println(command.getCommandName() + ": " + message(failure));
            } else {
                failure.printStackTrace(err);
            }
            err.flush();
            return CommandLine.ExitCode.SOFTWARE;
        };
        return commandLine.setExecutionExceptionHandler(handler);
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "Missing command");
    }

    /** Whether the cause lies outside of this program, so that a stack trace would tell nothing. */
    private static boolean isExpected(Exception failure) {
        return failure instanceof IOException
                || failure instanceof UncheckedIOException
                || failure instanceof CommandFailure
                || failure instanceof PollerSelectionException;
    }

    private static String message(Exception failure) {
        String message = failure.getMessage();
        return message == null ? failure.getClass().getSimpleName().toLowerCase(Locale.ROOT) : message;
    }
}
