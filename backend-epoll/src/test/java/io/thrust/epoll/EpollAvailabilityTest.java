package io.thrust.epoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.thrust.backend.IsolatedLoader;
import io.thrust.backend.Net;
import io.thrust.poll.Availability;
import io.thrust.poll.Mode;
import io.thrust.poll.PollerProvider;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.EnumSet;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class EpollAvailabilityTest {

    @Test
    @EnabledOnOs(OS.LINUX)
    void isFoundAsAServiceAndAvailable() {
        PollerProvider found = ServiceLoader.load(PollerProvider.class).stream()
                .filter(provider -> provider.type() == EpollProvider.class)
                .findFirst()
                .orElseThrow()
                .get();
        assertThat(found.name()).isEqualTo("epoll");
        assertThat(found.priority()).isEqualTo(100);
        assertThat(found.modes()).isEqualTo(EnumSet.allOf(Mode.class));
        assertThat(found.availability()).isSameAs(Availability.available());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void checkLeavesNoDescriptorOpen() {
        new EpollProvider().availability();
        int before = Net.openDescriptors();
        for (int i = 0; i < 100; i++) {
            EpollAvailability.check(
                    "Linux", System.getProperty("os.arch"), getClass().getClassLoader());
        }
        assertThat(Net.openDescriptors()).isEqualTo(before);
    }

    @Test
    void elsewhereThanOnLinuxNothingOfNettyIsLoaded() throws Exception {
        try (IsolatedLoader loader = new IsolatedLoader(entry -> true)) {
            Object availability = check(loader, "Mac OS X", "aarch64");
            assertThat(availability).hasToString("not available: epoll is an interface of Linux, and this is Mac OS X");
            // The provider itself names no class of Netty's either.
            provider(loader);
            assertThat(loader.loaded())
                    .contains("io.thrust.epoll.EpollProvider")
                    .noneMatch(n -> n.startsWith("io.netty"));
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void withoutTheNativeJarTheReasonNamesItsCoordinatesAndKeepsTheCause() throws Exception {
        try (IsolatedLoader loader = new IsolatedLoader(entry -> !entry.contains("-linux-"))) {
            Object provider = provider(loader);
            Object availability = provider.getClass().getMethod("availability").invoke(provider);
            String arch = System.getProperty("os.arch").equals("aarch64") ? "aarch_64" : "x86_64";
            assertThat(availability.toString())
                    .containsPattern("add io\\.netty:netty-transport-native-epoll:4\\.2\\.\\d+\\.Final:linux-" + arch);
            Object cause = availability.getClass().getMethod("cause").invoke(availability);
            assertThat(cause).isInstanceOf(UnsatisfiedLinkError.class);
            assertThat(provider.getClass().getMethod("availability").invoke(provider))
                    .isSameAs(availability);

            Throwable thrown = null;
            try {
                provider.getClass().getMethod("openPoller", int.class).invoke(provider, 8);
            } catch (InvocationTargetException e) {
                thrown = e.getCause();
            }
            assertThat(thrown)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("netty-transport-native-epoll")
                    .hasCause((Throwable) cause);
        }
    }

    @Test
    void withoutNettyTheReasonSaysSo() throws Exception {
        try (IsolatedLoader loader = new IsolatedLoader(entry -> !entry.contains("netty"))) {
            assertThat(check(loader, "Linux", "amd64").toString())
                    .contains("Netty 4.2 is missing")
                    .contains("io.netty:netty-transport-native-epoll:4.2.x:linux-x86_64");
        }
    }

    private static Object provider(ClassLoader loader) throws ReflectiveOperationException {
        return loader.loadClass("io.thrust.epoll.EpollProvider")
                .getConstructor()
                .newInstance();
    }

    private static Object check(ClassLoader loader, String osName, String osArch) throws ReflectiveOperationException {
        Method check = loader.loadClass("io.thrust.epoll.EpollAvailability")
                .getDeclaredMethod("check", String.class, String.class, ClassLoader.class);
        check.setAccessible(true);
        return check.invoke(null, osName, osArch, loader);
    }
}
