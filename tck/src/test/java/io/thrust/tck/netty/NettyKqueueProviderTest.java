package io.thrust.tck.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thrust.poll.Availability;
import io.thrust.poll.PollerProvider;
import java.net.URL;
import java.net.URLClassLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class NettyKqueueProviderTest {
    @Test
    @DisabledOnOs(OS.MAC)
    void whereThereIsNoNativeLibraryItSaysSo() {
        PollerProvider provider = new NettyKqueueProvider();
        Availability availability = provider.availability();
        assertThat(availability.isAvailable()).isFalse();
        assertThat(availability.reason()).contains("macOS").contains(System.getProperty("os.name"));
        assertThatThrownBy(() -> provider.openPoller(1))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining(availability.reason());
    }

    @Test
    @DisabledOnOs(OS.MAC)
    void whereThereIsNoNativeLibraryNoClassOfNettysIsTouched() throws Exception {
        URL classes =
                NettyKqueueProvider.class.getProtectionDomain().getCodeSource().getLocation();
        try (WithoutNetty loader = new WithoutNetty(classes)) {
            Class<?> type = loader.loadClass(NettyKqueueProvider.class.getName());
            assertThat(type).isNotSameAs(NettyKqueueProvider.class);
            PollerProvider provider = (PollerProvider) type.getConstructor().newInstance();
            assertThat(provider.availability().reason())
                    .isEqualTo(new NettyKqueueProvider().availability().reason());
        }
    }

    /** What a Mac without the native library would get: an answer, and no exception. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void aLibraryThatCannotBeLoadedIsAReason() {
        Availability availability = new NettyKqueueProvider("Mac OS X").availability();
        assertThat(availability.isAvailable()).isFalse();
        assertThat(availability.reason()).contains("cannot be used");
        assertThat(availability.cause()).isNotNull();
    }

    /** Loads the provider's package anew, and nothing of Netty's at all. */
    private static final class WithoutNetty extends URLClassLoader {
        WithoutNetty(URL classes) {
            super(new URL[] {classes}, NettyKqueueProviderTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("io.netty.")) {
                throw new ClassNotFoundException(name + " is not to be loaded");
            }
            if (!name.startsWith("io.thrust.tck.netty.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : findClass(name);
            }
        }
    }
}
