package io.thrust.kqueue;

import static org.assertj.core.api.Assertions.assertThat;

import io.thrust.backend.AbstractChildJvmTest;
import io.thrust.backend.ChildJvm;
import io.thrust.backend.Net;
import io.thrust.poll.Interest;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.Mode;
import io.thrust.poll.Poller;
import io.thrust.poll.PollerProvider;
import io.thrust.poll.Pollers;
import java.io.File;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildJvmTest extends AbstractChildJvmTest {
    @Override
    protected PollerProvider provider() {
        return Fixture.provider();
    }

    @Override
    protected ChildJvm childJvm() {
        return Fixture.childJvm(32);
    }

    @Override
    protected String openingAPoller() {
        return "open a kqueue poller";
    }

    // ---- the properties that choose a library, and what may be wrong with it

    @Test
    void systemPropertiesChooseLibraryAndLayoutForTheWholeJvm() throws Exception {
        for (int layout : Fixture.LAYOUTS) {
            ChildJvm child = withLayout(Fixture.childJvm(layout), Fixture.layoutName(layout));
            assertThat(child.run(EchoByName.class)).isEqualTo("echo over kqueue\n");
        }
    }

    private static ChildJvm withLayout(ChildJvm child, String layout) {
        return child.withOptions(List.of("-D" + KqueueSupport.LAYOUT + "=" + layout));
    }

    @Test
    void whereTheNativeLibraryCannotBeUnpackedTheReasonSaysSo(@TempDir Path directory) throws Exception {
        Path missing = directory.resolve("missing");
        ChildJvm child = childJvm()
                .withOptions(List.of("-Djava.io.tmpdir=" + missing, "-Duser.dir=" + missing, "-Duser.home=" + missing));
        assertThat(child.run(TellAvailability.class))
                .contains("not available: the native calls for layout freebsd11")
                .contains("IOException");
    }

    @Test
    void withoutTheJarOfNativeLibrariesTheReasonSaysSo() throws Exception {
        String classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("-native"))
                .collect(Collectors.joining(File.pathSeparator));
        // A system may have a libjffi of its own, of another version.
        ChildJvm child = childJvm().withClassPath(classPath).withOptions(List.of("-Djava.library.path=/nowhere"));
        assertThat(child.run(TellAvailability.class))
                .startsWith("not available: the native calls for layout freebsd11")
                .contains("jffi");
    }

    @Test
    void aWrongLayoutIsRefused() throws Exception {
        assertThat(withLayout(childJvm(), "freebsd12").run(TellAvailability.class))
                .contains("kevent does not answer as layout freebsd12 (64 bytes) wants it");
        assertThat(withLayout(childJvm(), "netbsd40").run(TellAvailability.class))
                .contains("__kevent50");
        assertThat(withLayout(childJvm(), "bsd").run(TellAvailability.class))
                .contains("the layout is \"bsd\", but must be one of [darwin, ");
    }

    /** As an application would: by name, knowing nothing of this package. */
    static final class EchoByName {
        public static void main(String[] args) throws Exception {
            PollerProvider provider = Pollers.select("kqueue");
            Net net = new Net(provider);
            try (ListenerSource listener = net.listen();
                    Net.Pair pair = net.pair(listener);
                    Poller poller = provider.openPoller(4)) {
                poller.register(pair.server(), 1, Interest.READ, Mode.EDGE);
                Net.write(pair.client(), "echo");
                ByteBuffer buffer = ByteBuffer.allocate(16);
                if (poller.poll(Net.PATIENCE) != 1
                        || !poller.events().isReadable(0)
                        || pair.server().read(buffer) != 4) {
                    throw new AssertionError("four bytes were written");
                }
                pair.server().write(buffer.flip());
                pair.server().shutdownOutput();
                System.out.println(net.readFully(pair.client()) + " over "
                        + poller.provider().name());
            }
        }
    }

    /** What the provider says of itself. */
    static final class TellAvailability {
        public static void main(String[] args) {
            System.out.println(new KqueueProvider().availability());
        }
    }
}
