package io.thrust.kqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thrust.backend.IsolatedLoader;
import io.thrust.backend.Net;
import io.thrust.poll.Availability;
import io.thrust.poll.ConnectOptions;
import io.thrust.poll.DiscoveredProvider;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.Mode;
import io.thrust.poll.PollerSelectionException;
import io.thrust.poll.Pollers;
import java.lang.reflect.Method;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class KqueueSupportTest {
    private static String reason(String os, String version, String arch, String library, String layout) {
        KqueueSupport support = KqueueSupport.find(os, version, arch, library, layout);
        assertThat(support.kernel() == null).isNotEqualTo(support.availability().isAvailable());
        return support.availability().reason();
    }

    @Test
    void isFoundAsAServiceAndSaysWhatItIs() {
        List<DiscoveredProvider> found = Pollers.discover();
        assertThat(found).hasSize(1);
        DiscoveredProvider kqueue = found.get(0);
        assertThat(kqueue.provider()).isInstanceOf(KqueueProvider.class);
        assertThat(kqueue.name()).isEqualTo("kqueue");
        assertThat(kqueue.priority()).isEqualTo(100);
        assertThat(kqueue.modes()).containsExactlyInAnyOrder(Mode.EDGE, Mode.LEVEL, Mode.ONE_SHOT);
    }

    @Test
    void onLinuxWithoutALibraryItSaysHowToGetOneAndOpensNothing() {
        assumeTrue(System.getProperty("os.name").equals("Linux"));
        KqueueProvider provider = new KqueueProvider();
        Availability availability = provider.availability();
        assertThat(availability.reason()).contains("libkqueue", "-Dthrust.kqueue.library=PATH");
        assertThat(new KqueueProvider().availability()).isSameAs(availability);
        List<ThrowingCallable> openings = List.of(
                () -> provider.openPoller(1),
                () -> provider.listen(Net.loopback(), ListenOptions.DEFAULT),
                () -> provider.connect(Net.loopback(), ConnectOptions.DEFAULT),
                provider::pipe,
                () -> provider.adopt(0));
        assertThat(openings)
                .allSatisfy(opening -> assertThatThrownBy(opening)
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining("\"kqueue\"")
                        .hasMessageContaining(availability.reason()));
        assertThatThrownBy(() -> Pollers.select("kqueue"))
                .isInstanceOf(PollerSelectionException.class)
                .hasMessageContaining(availability.reason());
    }

    @Test
    void whatDoesNotFitIsRefusedWithTheReason() {
        assertThat(reason("Windows 11", "10.0", "amd64", null, null))
                .isEqualTo("kqueue is an interface of macOS and the BSDs, and this is Windows 11");
        assertThat(reason("FreeBSD", "14.1-RELEASE", "x86", null, null)).contains("64-bit machines, and this is x86");
        assertThat(reason("NetBSD", "current", "amd64", null, null)).contains("\"current\"");
        assertThat(reason("Mac OS X", "14.0", "aarch64", null, "freebsd")).contains("\"freebsd\"", "darwin");
    }

    @Test
    void aLibraryThatIsNoneIsNamedWithTheCause() throws Exception {
        assumeTrue(System.getProperty("os.name").equals("Linux"));
        KqueueSupport missing = Fixture.support("/nowhere/libkqueue.so.0", "freebsd11");
        assertThat(missing.availability().reason())
                .contains("layout freebsd11 over /nowhere/libkqueue.so.0")
                .contains("No such file");
        assertThat(missing.availability().cause()).isInstanceOf(UnsatisfiedLinkError.class);
        // Of the other layout's fixture: a library without the function.
        KqueueSupport other = Fixture.support(Fixture.library(32).toString(), "netbsd40");
        assertThat(other.availability().reason()).contains("__kevent50");
    }

    @Test
    void theCheckLeavesNoDescriptorOpen() throws Exception {
        String library = Fixture.library(32).toString();
        assertThat(Fixture.support(library, "freebsd11").availability()).isSameAs(Availability.available());
        Fixture.support(library, "freebsd12");
        int before = Net.openDescriptors();
        for (int i = 0; i < 20; i++) {
            Fixture.support(library, "freebsd11");
            Fixture.support(library, "freebsd12");
            Fixture.support(library, "netbsd40");
        }
        assertThat(Net.openDescriptors()).isEqualTo(before);
    }

    @Test
    void theFixturesHaveUserEventsInEachLayout() {
        for (int layout : Fixture.LAYOUTS) {
            assertThat(Fixture.provider(layout).availability().isAvailable()).isTrue();
        }
    }

    @Test
    void whereItCannotWorkNothingOfJnrIsLoaded() throws Exception {
        try (IsolatedLoader loader = new IsolatedLoader(entry -> true)) {
            assertThat(find(loader, "Linux", null)).contains("libkqueue");
            assertThat(find(loader, "Windows 11", null)).contains("macOS and the BSDs");
            loader.loadClass("io.thrust.kqueue.KqueueProvider").getConstructor().newInstance();
            assertThat(loader.loaded())
                    .contains("io.thrust.kqueue.KqueueProvider")
                    .noneMatch(name -> name.startsWith("jnr.") || name.startsWith("com.kenai."));
        }
    }

    @Test
    void withoutJnrTheReasonNamesIt() throws Exception {
        try (IsolatedLoader loader = new IsolatedLoader(entry -> !entry.contains("jnr"))) {
            assertThat(find(loader, "Linux", "/nowhere/lib.so"))
                    .contains("jnr")
                    .contains("add com.github.jnr:jnr-ffi and jnr-constants");
        }
    }

    private static String find(ClassLoader loader, String osName, String library) throws ReflectiveOperationException {
        Class<?> support = loader.loadClass("io.thrust.kqueue.KqueueSupport");
        Method find =
                support.getDeclaredMethod("find", String.class, String.class, String.class, String.class, String.class);
        find.setAccessible(true);
        Object found = find.invoke(null, osName, "6.0", System.getProperty("os.arch"), library, null);
        Method availability = support.getDeclaredMethod("availability");
        availability.setAccessible(true);
        return availability.invoke(found).toString();
    }
}
