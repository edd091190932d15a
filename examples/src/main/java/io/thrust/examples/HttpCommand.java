package io.thrust.examples;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Serves "Hello, World!" over HTTP, by default on port 8080. */
@Command(name = "http", description = "Serves \"Hello, World!\" over HTTP, by default on port 8080.")
final class HttpCommand implements Callable<Integer> {
    static final int USUAL_PORT = 8080;

    @Mixin
    private final Address address = new Address();

    @Mixin
    private final HttpLimits limits = new HttpLimits();

    @Spec
    @SuppressWarnings("NullAway.Init") // by picocli
    private CommandSpec spec;

    HttpCommand() {}

    @Override
    public Integer call() throws IOException {
        CommandLine command = spec.commandLine();
        Service.run(
                "http",
                address.resolve(USUAL_PORT),
                new HttpServer(limits.idleTimeout()),
                limits.serveOptions(),
                command.getOut(),
                command.getErr());
        return CommandLine.ExitCode.OK;
    }
}
