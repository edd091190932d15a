package io.thrust.kqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thrust.backend.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The C fixture of {@code src/test/c}: kqueue and kevent for a Linux kernel, in the layouts of 32, 40 and 64 bytes,
 * built into {@code target/fixture} once for each run of the tests; and the backend over it.
 */
final class Fixture {
    static final List<Integer> LAYOUTS = List.of(32, 40, 64);

    private static final Path MODULE =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath();

    private static final Map<Integer, KqueueProvider> PROVIDERS = new ConcurrentHashMap<>();

    private Fixture() {}

    /** The backend over the fixture's layout of 32 bytes. Skips the calling test where the fixture cannot be built. */
    static KqueueProvider provider() {
        return provider(32);
    }

    /** As above, over the layout of this size. */
    static KqueueProvider provider(int layout) {
        if (System.getProperty(KqueueSupport.LIBRARY) != null) {
            return new KqueueProvider(); // in a JVM that has the library by its properties
        }
        KqueueProvider known = PROVIDERS.get(layout);
        return known != null ? known : PROVIDERS.computeIfAbsent(layout, Fixture::open);
    }

    private static KqueueProvider open(int layout) {
        KqueueSupport support;
        try {
            support = support(library(layout).toString(), layoutName(layout));
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
        assertThat(support.availability().reason()).isEmpty();
        return new KqueueProvider(() -> support);
    }

    /** A JVM in which the backend is the one over the layout of this size, as its properties say. */
    static ChildJvm childJvm(int layout) {
        try {
            return new ChildJvm().withOptions(List.of("-D" + KqueueSupport.LIBRARY + "=" + library(layout)));
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static String layoutName(int layout) {
        return layout == 32 ? "freebsd11" : layout == 40 ? "netbsd40" : "freebsd12";
    }

    /** What is found on this machine over a library. */
    static KqueueSupport support(String library, String layout) {
        return KqueueSupport.find(
                System.getProperty("os.name"),
                System.getProperty("os.version"),
                System.getProperty("os.arch"),
                library,
                layout);
    }

    /** The library of a layout. Skips the calling test where the fixture cannot be built. */
    static Path library(int layout) throws IOException, InterruptedException {
        return directory().resolve("libthrustkq" + layout + ".so");
    }

    /** The contract test of a layout. Skips the calling test where the fixture cannot be built. */
    static Path contract(int layout) throws IOException, InterruptedException {
        return directory().resolve("contract" + layout);
    }

    private static Path directory() throws IOException, InterruptedException {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "the kqueue fixture is for Linux");
        assumeTrue(onPath("gcc"), "no gcc on the PATH: the kqueue fixture cannot be built");
        return Built.directory();
    }

    private static boolean onPath(String program) {
        String path = System.getenv("PATH");
        return path != null
                && Stream.of(path.split(File.pathSeparator))
                        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    }

    /** Runs a program and returns what it printed, errors included. */
    static Output run(Path program, String... arguments) throws IOException, InterruptedException {
        Path log = Files.createTempFile("thrust-fixture", ".log");
        try {
            Process process = new ProcessBuilder(Stream.concat(Stream.of(program.toString()), Stream.of(arguments))
                            .toList())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            boolean ended = process.waitFor(3, TimeUnit.MINUTES);
            if (!ended) {
                process.destroyForcibly().waitFor();
            }
            String text = Files.readString(log);
            if (!ended) {
                throw new IOException(program + " did not end within 3 minutes:\n" + text);
            }
            return new Output(process.exitValue(), text);
        } finally {
            Files.delete(log);
        }
    }

    record Output(int status, String text) {}

    /** Builds when it is first asked, and gives the same answer to all who ask. */
    private static final class Built {
        private static final Object LOCK = new Object();
        private static boolean done;

        static Path directory() throws IOException, InterruptedException {
            Path directory = MODULE.resolve("target/fixture");
            synchronized (LOCK) {
                if (!done) {
                    Output output = run(MODULE.resolve("src/test/c/build.sh"), directory.toString());
                    if (output.status() != 0) {
                        throw new IOException("the kqueue fixture does not build:\n" + output.text());
                    }
                    done = true;
                }
            }
            return directory;
        }
    }
}
