package io.thrust.kqueue;

import static org.assertj.core.api.Assertions.assertThat;

import io.thrust.backend.AbstractClassLoaderTest;
import io.thrust.backend.ChildJvm;
import io.thrust.poll.PollerProvider;
import java.util.List;

class SecondClassLoaderTest extends AbstractClassLoaderTest {
    @Override
    protected PollerProvider provider() {
        return Fixture.provider();
    }

    @Override
    protected ChildJvm childJvm() {
        return Fixture.childJvm(32);
    }

    @Override
    protected List<String> nativeLibraries() {
        String arch = System.getProperty("os.arch").equals("amd64") ? "x86_64" : System.getProperty("os.arch");
        return List.of("jni/" + arch + "-Linux/libjffi-1.2.so");
    }

    /** Where jffi is told to take its library from. */
    @Override
    protected String onlyLibraryPath() {
        return "jffi.boot.library.path";
    }

    @Override
    protected void assertTellsThatTheLibraryIsTaken(String reason) {
        assertThat(reason)
                .startsWith("the native calls for layout freebsd11")
                .contains("com.github.jnr:jffi with the classifier native, of which each class loader");
    }
}
