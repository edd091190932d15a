package io.thrust.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.thrust.poll.Interest;
import io.thrust.poll.Mode;
import io.thrust.poll.Poller;
import io.thrust.poll.PollerProvider;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two applications of one JVM each have this backend and its native library in a class loader of their own: both work, and
 * where the JVM itself forbids that, the second says why.
 */
@Timeout(120)
public abstract class AbstractClassLoaderTest extends AbstractBackendTest {

    /** A JVM in which the provider, made anew by its class, is the one under test. */
    protected ChildJvm childJvm() {
        return new ChildJvm();
    }

    /** The entries of the backend's jars that are its native libraries, of any machine. */
    protected abstract List<String> nativeLibraries();

    /** A property with the directory of a library, the one file of which the JVM gives to the first loader alone. */
    protected abstract String onlyLibraryPath();

    /** Checks that the second loader's reason says so. */
    protected abstract void assertTellsThatTheLibraryIsTaken(String reason);

    @Test
    void theBackendWorksInTwoClassLoadersAtOnce() throws Exception {
        assertThat(run(childJvm(), System.getProperty("java.class.path")))
                .isEqualTo("first: echo\nsecond: echo\nfirst: echo\n");
    }

    @Test
    void whereTheFirstHasTakenTheOnlyLibraryTheSecondSaysWhatItLacks(@TempDir Path directory) throws Exception {
        List<String> others = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (!unpack(entry, directory)) {
                others.add(entry);
            }
        }
        ChildJvm child = childJvm().withOptions(List.of("-D" + onlyLibraryPath() + "=" + directory));
        String output = run(child, String.join(File.pathSeparator, others));
        assertThat(output.lines().toList()).as(output).hasSize(3).satisfies(lines -> {
            assertThat(lines.get(0)).isEqualTo("first: echo");
            assertThat(lines.get(1)).startsWith("second: not available: ");
            assertTellsThatTheLibraryIsTaken(lines.get(1).substring("second: not available: ".length()));
            assertThat(lines.get(2)).isEqualTo("first: echo");
        });
    }

    /** Copies the native libraries of a jar that the backend may load, if it has any. */
    private boolean unpack(String entry, Path directory) throws IOException {
        boolean found = false;
        try (IsolatedLoader jar = new IsolatedLoader(entry)) {
            for (String name : nativeLibraries()) {
                try (InputStream library = jar.getResourceAsStream(name)) {
                    if (library != null) {
                        Files.copy(library, directory.resolve(name.substring(name.lastIndexOf('/') + 1)));
                        found = true;
                    }
                }
            }
        }
        return found;
    }

    private String run(ChildJvm child, String innerClassPath) throws Exception {
        // Nothing but the starter: what it starts twice must not be found in the loader above.
        Path classes = Path.of(Starter.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        String provider = provider().getClass().getName();
        return child.withClassPath(classes.toString()).run(Starter.class, innerClassPath, provider);
    }

    /** In the child: two loaders that share nothing but the JDK. */
    static final class Starter {
        public static void main(String[] args) throws Exception {
            try (IsolatedLoader first = new IsolatedLoader(args[0]);
                    IsolatedLoader second = new IsolatedLoader(args[0])) {
                System.out.println("first: " + use(first, args[1]));
                System.out.println("second: " + use(second, args[1]));
                System.out.println("first: " + use(first, args[1]));
            }
        }

        private static Object use(ClassLoader loader, String provider) throws Exception {
            Class<?> use = Class.forName(Use.class.getName(), true, loader);
            if (use.getClassLoader() != loader) {
                throw new AssertionError(use + " was loaded by " + use.getClassLoader());
            }
            return use.getMethod("echo", String.class).invoke(null, provider);
        }
    }

    /** In the child, once in each loader. */
    public static final class Use {
        /** Takes a byte through a connection that a poller watches. */
        public static String echo(String providerClass) throws IOException, ReflectiveOperationException {
            PollerProvider provider = (PollerProvider)
                    Class.forName(providerClass).getConstructor().newInstance();
            if (!provider.availability().isAvailable()) {
                return provider.availability().toString();
            }
            try (Net.Pair pair = new Net(provider).pair();
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
