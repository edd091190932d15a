package io.thrust.benchmarks.peers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Programs in C that this jar has the source of, and that set a limit. */
public final class CProgram {
    private CProgram() {}

    /**
     * Compiles one, if there is a gcc; says so on the standard error if there is none.
     *
     * @param source the name of the file, such as {@code limit.c}
     * @param scratch where source and program are put; the program is called as the source is, without its ending
     * @param options for gcc, beside {@code -O2}
     * @return the program, or null if it could not be built
     */
    public static @Nullable Path compile(String source, Path scratch, String... options)
            throws IOException, InterruptedException {
        Path copy = scratch.resolve(source);
        try (InputStream in = CProgram.class.getResourceAsStream("/" + source)) {
            if (in == null) {
                throw new IllegalStateException(source + " is not in the jar");
            }
            Files.write(copy, in.readAllBytes());
        }
        Path program = scratch.resolve(source.substring(0, source.lastIndexOf('.')));
        List<String> command = new ArrayList<>(List.of("gcc", "-O2"));
        command.addAll(List.of(options));
        command.addAll(List.of("-o", program.toString(), copy.toString()));
        try {
            Process gcc = new ProcessBuilder(command).inheritIO().start();
            if (gcc.waitFor(1, TimeUnit.MINUTES) && gcc.exitValue() == 0) {
                return program;
            }
        } catch (IOException e) {
            // There is no gcc.
        }
        System.err.println("No gcc here: the limit in C is left out.");
        return null;
    }
}
