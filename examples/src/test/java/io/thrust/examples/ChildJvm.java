package io.thrust.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.jspecify.annotations.Nullable;

/** The command line in a JVM of its own, on the class path of the tests. */
final class ChildJvm implements AutoCloseable {
    private static final Pattern LISTENING =
            Pattern.compile("([a-z-]+) listening on 127\\.0\\.0\\.1:(\\d+) \\(poller ([a-z]+)(?:, \\d+ loops)?\\)");

    private static @Nullable String classPath;

    private final Process process;
    private final BlockingQueue<String> out = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> err = new LinkedBlockingQueue<>();
    private final List<Thread> readers = new ArrayList<>();

    private ChildJvm(List<String> command, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeAll(List.of("PORT", "MODE", "JAVA_TOOL_OPTIONS"));
        builder.environment().putAll(environment);
        process = builder.start();
        readers.add(read(process.inputReader(StandardCharsets.UTF_8), out));
        readers.add(read(process.errorReader(StandardCharsets.UTF_8), err));
    }

    /** Starts {@code java [options] Main [arguments]}. */
    static ChildJvm start(List<String> options, Map<String, String> environment, String... arguments)
            throws IOException {
        return new ChildJvm(command(options, arguments), environment);
    }

    /** The same, with this many file descriptors at most. */
    static ChildJvm startWithDescriptors(int most, List<String> options, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("bash", "-c", "ulimit -n " + most + "; exec \"$@\"", "bash"));
        command.addAll(command(options, arguments));
        return new ChildJvm(command, Map.of());
    }

    private static List<String> command(List<String> options, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (Runtime.version().feature() >= 22) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1", "-cp", classPath()));
        command.addAll(options);
        command.add(Main.class.getName());
        command.addAll(List.of(arguments));
        return command;
    }

    /**
     * That of this JVM, directories packed into jars as they are in use: a process without descriptors finds no class in
     * a directory. Without SLF4J, which a library of the tests brings along and which complains that it has no back end.
     */
    private static synchronized String classPath() throws IOException {
        if (classPath != null) {
            return classPath;
        }
        List<String> entries = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path path = Path.of(entry);
            if (Files.isDirectory(path)) {
                entries.add(pack(path));
            } else if (Files.exists(path) && !entry.contains("slf4j")) {
                entries.add(entry);
            }
        }
        classPath = String.join(File.pathSeparator, entries);
        return classPath;
    }

    private static String pack(Path directory) throws IOException {
        Path jar = Files.createTempFile("classes", ".jar");
        jar.toFile().deleteOnExit();
        String[] arguments = {"--create", "--file", jar.toString(), "-C", directory.toString(), "."};
        int status = ToolProvider.findFirst("jar").orElseThrow().run(System.out, System.err, arguments);
        assertThat(status).isZero();
        return jar.toString();
    }

    private static Thread read(BufferedReader reader, BlockingQueue<String> lines) {
        Thread thread = new Thread(() -> {
            try (reader) {
                reader.lines().forEach(lines::add);
            } catch (IOException | UncheckedIOException e) {
                lines.add("reading failed: " + e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    String line(BlockingQueue<String> lines) throws InterruptedException {
        String line = lines.poll(Patience.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        assertThat(line).as("a line; the others are " + out + ", " + err).isNotNull();
        return line;
    }

    /** Waits for the line that a server prints, and checks what it says. */
    InetSocketAddress listening(String name, String poller) throws InterruptedException {
        String line = line(out);
        Matcher matcher = LISTENING.matcher(line);
        assertThat(matcher.matches()).as(line).isTrue();
        assertThat(matcher.group(1)).isEqualTo(name);
        assertThat(matcher.group(3)).isEqualTo(poller);
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(matcher.group(2)));
    }

    String nextErrorLine() throws InterruptedException {
        return line(err);
    }

    ChildJvm terminate() {
        process.destroy();
        return this;
    }

    /** Waits for the end; returns the exit code. */
    int exitCode() throws InterruptedException {
        assertThat(process.waitFor(Patience.PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
                .as("it has ended")
                .isTrue();
        for (Thread reader : readers) {
            reader.join();
        }
        return process.exitValue();
    }

    /** What is left of the lines on the error output, after the end. */
    List<String> errors() {
        return List.copyOf(err);
    }

    List<String> output() {
        return List.copyOf(out);
    }

    @Override
    public void close() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }
}
