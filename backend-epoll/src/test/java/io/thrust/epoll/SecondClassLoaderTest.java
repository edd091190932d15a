package io.thrust.epoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.thrust.backend.AbstractClassLoaderTest;
import io.thrust.poll.PollerProvider;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class SecondClassLoaderTest extends AbstractClassLoaderTest {
    @Override
    protected PollerProvider provider() {
        return new EpollProvider();
    }

    @Override
    protected List<String> nativeLibraries() {
        return List.of(
                "META-INF/native/libnetty_transport_native_epoll_x86_64.so",
                "META-INF/native/libnetty_transport_native_epoll_aarch_64.so");
    }

    /** Netty looks at the system's path first. */
    @Override
    protected String onlyLibraryPath() {
        return "java.library.path";
    }

    @Override
    protected void assertTellsThatTheLibraryIsTaken(String reason) {
        assertThat(reason).contains("already loaded in another classloader").doesNotContain("is missing");
    }
}
