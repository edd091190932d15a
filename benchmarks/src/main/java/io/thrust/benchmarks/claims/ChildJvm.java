package io.thrust.benchmarks.claims;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A class of this jar that runs in a JVM of its own and prints figures, a line each: the name, a blank, the number. */
final class ChildJvm implements AutoCloseable {
    private final List<String> command = new ArrayList<>();
    private final Figures figures = new Figures();
    private final Process process;
    private final BufferedReader output;

    ChildJvm(List<String> options, Class<?> main, Object... arguments) throws IOException {
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        if (Runtime.version().feature() >= 22) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith("thrust."))
                .forEach(name -> command.add("-D" + name + "=" + System.getProperty(name)));
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(main.getName());
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        output = process.inputReader();
    }

    /** Runs it to its end. */
    static Figures run(List<String> options, Class<?> main, Object... arguments)
            throws IOException, InterruptedException {
        try (ChildJvm child = new ChildJvm(options, main, arguments)) {
            return child.finish();
        }
    }

    /** In the child. */
    static void print(String name, double figure) {
        System.out.println(name + " " + figure);
        System.out.flush();
    }

    /** In the child: an exception of any thread ends it, so that no figure is printed of what did not happen. */
    static void failOnAnyException() {
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> {
            e.printStackTrace();
            Runtime.getRuntime().halt(1);
        });
    }

    /** Waits for a figure that it prints on its way. */
    double await(String name) throws IOException {
        while (!figures.has(name)) {
            if (!readLine()) {
                throw new IOException("it ended without having printed \"" + name + "\": " + command);
            }
        }
        return figures.get(name);
    }

    /** All its figures, once it has ended. */
    Figures finish() throws IOException, InterruptedException {
        boolean more = true;
        while (more) {
            more = readLine();
        }
        int status = process.waitFor();
        if (status != 0) {
            throw new IOException("it ended with status " + status + ": " + command);
        }
        return figures;
    }

    private boolean readLine() throws IOException {
        String line = output.readLine();
        if (line == null) {
            return false;
        }
        if (!figures.add(line)) {
            System.err.println(line);
        }
        return true;
    }

    /** Ends it if it still runs. */
    @Override
    public void close() {
        process.destroyForcibly();
    }
}
