package io.thrust.kqueue;

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
import org.junit.jupiter.api.io.TempDir;

/**
 * Two applications of one JVM each have this backend and its native library in a class loader of their own: both work, and
 * where the JVM itself forbids that, the second says why.
 */
@Timeout(120)
class SecondClassLoaderTest {

    @Test
    void theBackendWorksInTwoClassLoadersAtOnce() throws Exception {
        assertThat(run(System.getProperty("java.class.path"))).isEqualTo("first: echo\nsecond: echo\nfirst: echo\n");
    }

    /** Where jffi is told to take its library from one place there is one file, which the JVM gives to one loader alone. */
    @Test
    void whereTheFirstHasTakenTheOnlyLibraryTheSecondSaysWhatItLacks(@TempDir Path directory) throws Exception {
        List<String> others = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (!unpack(entry, directory)) {
                others.add(entry);
            }
        }
        String output = run(String.join(File.pathSeparator, others), "-Djffi.boot.library.path=" + directory);
        assertThat(output.lines().toList()).as(output).hasSize(3).satisfies(lines -> {
            assertThat(lines.get(0)).isEqualTo("first: echo");
            assertThat(lines.get(1))
                    .startsWith("second: not available: the native calls for layout freebsd11")
                    .contains("com.github.jnr:jffi with the classifier native, of which each class loader");
            assertThat(lines.get(2)).isEqualTo("first: echo");
        });
    }

    /** Copies the native library of jffi for this machine, if the jar has it. */
    private static boolean unpack(String entry, Path directory) throws IOException {
        String arch = System.getProperty("os.arch").equals("amd64") ? "x86_64" : System.getProperty("os.arch");
        try (URLClassLoader jar = new URLClassLoader(urls(entry), null);
                InputStream library = jar.getResourceAsStream("jni/" + arch + "-Linux/libjffi-1.2.so")) {
            if (library != null) {
                Files.copy(library, directory.resolve("libjffi-1.2.so"));
            }
            return library != null;
        }
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
        command.add("-D" + KqueueSupport.LIBRARY + "=" + Fixture.library(32));
        command.add("-D" + KqueueSupport.LAYOUT + "=" + Net.layoutName(32));
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
            KqueueProvider provider = new KqueueProvider();
            if (!provider.availability().isAvailable()) {
                return provider.availability().toString();
            }
            try (Net.Pair pair = Net.pair();
                    Poller poller = provider.openPoller(4)) {
                poller.register(pair.server(), 1, Interest.READ, Mode.EDGE);
                pair.client().write(ByteBuffer.wrap(new byte[] {'x'}));
                int reported = poller.poll(Net.PATIENCE);
                ByteBuffer read = ByteBuffer.allocate(8);
                return reported == 1 && pair.server().read(read) == 1 && read.get(0) == 'x' ? "echo" : "silence";
            }
        }
    }
}
