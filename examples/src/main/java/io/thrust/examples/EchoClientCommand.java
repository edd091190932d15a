package io.thrust.examples;

import io.thrust.EventLoop;
import io.thrust.Timers;
import io.thrust.net.TcpStream;
import io.thrust.task.Async;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Sends a text and prints what comes back. */
@Command(
        name = "echo-client",
        description = "Sends a text to an echo server, by default on port 7007, and prints what comes back.")
final class EchoClientCommand implements Callable<Integer> {
    private static final int BUFFER_BYTES = 16 * 1024;

    @Mixin
    private final Address address = new Address();

    @Option(
            names = "--message",
            paramLabel = "TEXT",
            defaultValue = "Hello, Thrust!",
            description = "What to send; by default \"${DEFAULT-VALUE}\".")
    private String message = "";

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = "How long to wait in all; by default ${DEFAULT-VALUE}.")
    private int timeout;

    @Spec
    @SuppressWarnings("NullAway.Init") // by picocli
    private CommandSpec spec;

    EchoClientCommand() {}

    @Override
    public Integer call() throws IOException {
        InetSocketAddress remote = address.resolve(EchoServerCommand.USUAL_PORT);
        byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
        try (EventLoop loop = EventLoop.open()) {
            Async<byte[]> exchange = TcpStream.connect(remote).then(stream -> exchange(loop, stream, bytes));
            byte[] answer = loop.blockOn(Timers.timeout(Duration.ofSeconds(timeout), exchange));
            PrintWriter out = spec.commandLine().getOut();
            out.println(new String(answer, StandardCharsets.UTF_8));
            out.flush();
            if (answer.length != bytes.length) {
                throw new CommandFailure("sent " + bytes.length + " bytes, but " + answer.length + " came back");
            }
        }
        return CommandLine.ExitCode.OK;
    }

    /** Sends by a task of its own: a server that echoes at once may not take the rest until its echo is read. */
    private static Async<byte[]> exchange(EventLoop loop, TcpStream stream, byte[] bytes) {
        ByteBuffer output = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
        loop.spawnBackground(stream.writeAll(output).then(written -> shutdownOutput(stream)))
                .detach();
        ByteArrayOutputStream answer = new ByteArrayOutputStream(bytes.length);
        ByteBuffer input = ByteBuffer.allocateDirect(BUFFER_BYTES);
        return Async.loop(() -> stream.read(input.clear()).map(read -> take(read, input.flip(), answer)))
                .map(end -> answer.toByteArray());
    }

    private static Async<@Nullable Void> shutdownOutput(TcpStream stream) {
        try {
            stream.shutdownOutput();
            return Async.ready(null);
        } catch (IOException e) {
            return Async.failed(e);
        }
    }

    /** Returns whether to read on. */
    private static boolean take(int read, ByteBuffer input, ByteArrayOutputStream answer) {
        if (read == TcpStream.END_OF_STREAM) {
            return false;
        }
        byte[] bytes = new byte[read];
        input.get(bytes);
        answer.writeBytes(bytes);
        return true;
    }
}
