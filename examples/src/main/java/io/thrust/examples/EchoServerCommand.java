package io.thrust.examples;

import io.thrust.net.ServeOptions;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Sends back what comes, by default on port 7007. */
@Command(name = "echo-server", description = "Sends back what comes, by default on port 7007.")
final class EchoServerCommand implements Callable<Integer> {
    static final int USUAL_PORT = 7007;

    @Mixin
    private final Address address = new Address();

    @Spec
    @SuppressWarnings("NullAway.Init") // by picocli
    private CommandSpec spec;

    EchoServerCommand() {}

    @Override
    public Integer call() throws IOException {
        CommandLine command = spec.commandLine();
        Service.run(
                "echo-server",
                address.resolve(USUAL_PORT),
                new EchoServer(),
                ServeOptions.DEFAULT,
                command.getOut(),
                command.getErr());
        return CommandLine.ExitCode.OK;
    }
}
