package io.thrust.epoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.thrust.poll.Interest;
import io.thrust.poll.Mode;
import io.thrust.poll.Poller;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two applications of one JVM each have this backend and its native library in a class loader of their own: both work, and
 * where the JVM itself forbids that, the second says why.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class SecondClassLoaderTest {

    @Test
    void theBackendWorksInTwoClassLoadersAtOnce() throws Exception {
        assertThat(run(System.getProperty("java.class.path"))).isEqualTo("first: echo\nsecond: echo\nfirst: echo\n");
    }

    /** With the library in the system's path there is one file only, which the JVM gives to the first loader alone. */
    @Test
    void aLibraryThatTheFirstHasTakenIsNamedByTheSecond(@TempDir Path directory) throws Exception {
        List<String> others = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (!unpack(entry, directory)) {
                others.add(entry);
            }
        }
        String output = run(String.join(File.pathSeparator, others), "-Djava.library.path=" + directory);
        assertThat(output.lines().toList()).as(output).hasSize(3).satisfies(lines -> {
            assertThat(lines.get(0)).isEqualTo("first: echo");
            assertThat(lines.get(1))
                    .startsWith("second: not available: ")
                    .contains("already loaded in another classloader")
                    .doesNotContain("is missing");
            assertThat(lines.get(2)).isEqualTo("first: echo");
        });
    }

    /** Copies the native libraries of a jar, if it has any. */
    private static boolean unpack(String entry, Path directory) throws IOException {
        boolean found = false;
        try (URLClassLoader jar = new URLClassLoader(urls(entry), null)) {
            for (String arch : List.of("x86_64", "aarch_64")) {
                String name = "libnetty_transport_native_epoll_" + arch + ".so";
                try (InputStream library = jar.getResourceAsStream("META-INF/native/" + name)) {
                    if (library != null) {
                        Files.copy(library, directory.resolve(name));
                        found = true;
                    }
                }
            }
        }
        return found;
    }

    private static URL[] urls(String classPath) throws MalformedURLException {
        List<URL> urls = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator)) {
            urls.add(Path.of(entry).toUri().toURL());
        }
        return urls.toArray(URL[]::new);
    }

    private static String run(String innerClassPath, String... options) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (Runtime.version().feature() >= 22) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(List.of(options));
        // Nothing but the starter: what it starts twice must not be found in the loader above.
        Path classes = Path.of(SecondClassLoaderTest.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        command.addAll(List.of("-cp", classes.toString(), Starter.class.getName(), innerClassPath));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return output;
        } finally {
            process.destroyForcibly();
        }
    }

    /** In the child: two loaders that share nothing but the JDK. */
    static final class Starter {
        public static void main(String[] args) throws Exception {
            try (URLClassLoader first = loader(args[0]);
                    URLClassLoader second = loader(args[0])) {
                System.out.println("first: " + use(first));
                System.out.println("second: " + use(second));
                System.out.println("first: " + use(first));
            }
        }

        private static URLClassLoader loader(String classPath) throws MalformedURLException {
            return new URLClassLoader(urls(classPath), ClassLoader.getPlatformClassLoader());
        }

        private static Object use(ClassLoader loader) throws Exception {
            Class<?> use = Class.forName(Use.class.getName(), true, loader);
            if (use.getClassLoader() != loader) {
                throw new AssertionError(use + " was loaded by " + use.getClassLoader());
            }
            return use.getMethod("echo").invoke(null);
        }
    }

    /** In the child, once in each loader. */
    public static final class Use {
        /** Takes a byte through a connection that a poller watches. */
        public static String echo() throws IOException {
            EpollProvider provider = new EpollProvider();
            if (!provider.availability().isAvailable()) {
                return provider.availability().toString();
            }
            try (Fixture.Pair pair = Fixture.pair();
                    Poller poller = provider.openPoller(4)) {
                poller.register(pair.server(), 1, Interest.READ, Mode.EDGE);
                pair.client().write(ByteBuffer.wrap(new byte[] {'x'}));
                int reported = poller.poll(Fixture.PATIENCE);
                ByteBuffer read = ByteBuffer.allocate(8);
                return reported == 1 && pair.server().read(read) == 1 && read.get(0) == 'x' ? "echo" : "silence";
            }
        }
    }
}
