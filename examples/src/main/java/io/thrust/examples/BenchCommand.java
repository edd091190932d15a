package io.thrust.examples;

import io.thrust.net.ServeOptions;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The servers of the other commands, chosen by environment variables: what is measured is what a user gets. */
@Command(
        name = "bench",
        description = "Serves for a benchmark: http, or echo-server, as the environment variable MODE=http or MODE=echo"
                + " says (http if it is unset), on the port of the environment variable PORT.")
final class BenchCommand implements Callable<Integer> {
    static final String MODE_VARIABLE = "MODE";

    @Mixin
    private final Address address = new Address();

    @Spec
    @SuppressWarnings("NullAway.Init") // by picocli
    private CommandSpec spec;

    BenchCommand() {}

    @Override
    public Integer call() throws IOException {
        CommandLine command = spec.commandLine();
        HttpLimits limits = new HttpLimits();
        switch (mode(System.getenv())) {
            case "http" ->
                Service.run(
                        "http",
                        address.resolve(HttpCommand.USUAL_PORT),
                        new HttpServer(limits.idleTimeout()),
                        limits.serveOptions(),
                        command.getOut(),
                        command.getErr());
            case "echo" ->
                Service.run(
                        "echo-server",
                        address.resolve(EchoServerCommand.USUAL_PORT),
                        new EchoServer(),
                        ServeOptions.DEFAULT,
                        command.getOut(),
                        command.getErr());
            default ->
                throw new ParameterException(
                        command,
                        "Invalid value of the environment variable MODE: \"" + System.getenv(MODE_VARIABLE)
                                + "\"; set it to http or to echo");
        }
        return CommandLine.ExitCode.OK;
    }

    private static String mode(Map<String, String> environment) {
        String mode = environment.getOrDefault(MODE_VARIABLE, "").strip();
        return mode.isEmpty() ? "http" : mode;
    }
}
