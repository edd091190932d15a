package io.thrust.backend;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A Java of its own, for what depends on limits and properties that a JVM has from its start.
 *
 * @param shell shell code that comes before the start, such as {@code "ulimit -n 60 && "}, or nothing
 * @param options the options of the JVM
 * @param classPath where it finds its classes
 */
public record ChildJvm(String shell, List<String> options, String classPath) {

    /** One that has the classes of this JVM. */
    public ChildJvm() {
        this("", List.of(), System.getProperty("java.class.path"));
    }

    public ChildJvm withOptions(List<String> more) {
        List<String> all = new ArrayList<>(options);
        all.addAll(more);
        return new ChildJvm(shell, all, classPath);
    }

    public ChildJvm withClassPath(String changed) {
        return new ChildJvm(shell, options, changed);
    }

    /**
     * One that may have this many descriptors, all for itself: without these options the JVM opens files of its own now
     * and then, as to see how much memory there is.
     */
    public ChildJvm withDescriptors(int limit) {
        return new ChildJvm("ulimit -n " + limit + " && ", options, classPath)
                .withOptions(List.of(
                        "-XX:+UseSerialGC",
                        "-XX:-UseDynamicNumberOfCompilerThreads",
                        "-XX:+IgnoreUnrecognizedVMOptions",
                        "-XX:-UseContainerSupport",
                        // Of macOS and the BSDs, where the JVM raises the limit otherwise.
                        "-XX:-MaxFDLimit"));
    }

    /** Runs the main method of a class to its end, which must be a good one; returns what it printed, errors included. */
    public String run(Class<?> main, String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        if (!shell.isEmpty()) {
            command.addAll(List.of("sh", "-c", shell + "exec \"$@\"", "sh"));
        }
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (Runtime.version().feature() >= 22) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, main.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(output).isTrue();
            assertThat(process.exitValue()).as(output).isZero();
            return output;
        } finally {
            process.destroyForcibly();
        }
    }
}
