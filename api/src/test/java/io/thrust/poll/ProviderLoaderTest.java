package io.thrust.poll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationTargetException;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which class loaders are asked, on which thread, and that none is kept. Each island has a copy of the SPI. */
class ProviderLoaderTest {
    @TempDir
    static Path directory;

    private static Zoo zoo;
    private String property;

    @BeforeAll
    static void compile() throws IOException {
        zoo = new Zoo(directory);
    }

    @AfterAll
    static void close() throws IOException {
        zoo.close();
    }

    @BeforeEach
    void clearProperty() {
        property = System.clearProperty(Pollers.PROPERTY);
    }

    @AfterEach
    void restoreProperty() {
        if (property == null) {
            System.clearProperty(Pollers.PROPERTY);
        } else {
            System.setProperty(Pollers.PROPERTY, property);
        }
    }

    @Test
    void aPoolThreadWithAForeignContextLoaderGetsTheSameProvider() throws Exception {
        ClassLoader island = zoo.island("Slow", "Lion");
        ClassLoader foreign = zoo.island("Bear", "Ibex");
        ForkJoinPool pool = new ForkJoinPool(1);
        try {
            Class<?> onPool =
                    pool.submit(() -> under(foreign, () -> select(island))).get(10, TimeUnit.SECONDS);

            assertThat(onPool).isSameAs(select(island));
            assertThat(onPool.getName()).isEqualTo(Zoo.animal("Lion"));
        } finally {
            pool.shutdown();
        }
    }

    @Test
    void noContextLoaderChangesTheOutcome() throws Exception {
        ClassLoader island = zoo.island("Slow");
        ClassLoader child = zoo.loader(island, zoo.services("Lion"));
        for (ClassLoader context : new ClassLoader[] {null, ClassLoader.getPlatformClassLoader(), child}) {
            assertThat(under(context, () -> select(island)).getName()).isEqualTo(Zoo.animal("Slow"));
        }
    }

    @Test
    void whereTheSpiSeesNoProviderTheContextLoaderIsAskedToo() throws Exception {
        ClassLoader island = zoo.island();
        ClassLoader child = zoo.loader(island, zoo.services("Lion"));

        assertThat(under(child, () -> select(island)).getName()).isEqualTo(Zoo.animal("Lion"));
    }

    @Test
    void aBrokenProviderThatTheSpiSeesIsNotReplacedFromTheContextLoader() throws Exception {
        ClassLoader island = zoo.island("ConstructorThrows");
        ClassLoader child = zoo.loader(island, zoo.services("Lion"));

        assertThatThrownBy(() -> under(child, () -> select(island)))
                .hasMessageContaining("No poller provider is available")
                .hasMessageContaining("constructor boom");
    }

    @Test
    void whereNothingIsInstalledNoContextLoaderDoesHarm() throws Exception {
        ClassLoader island = zoo.island();
        for (ClassLoader context : new ClassLoader[] {null, ClassLoader.getPlatformClassLoader(), island}) {
            assertThatThrownBy(() -> under(context, () -> select(island)))
                    .hasMessageStartingWith(
                            "No poller provider is installed (the system property thrust.poller is not set).\n");
        }
        ClassLoader foreign = zoo.island("Lion");
        assertThatThrownBy(() -> under(foreign, () -> select(island)))
                .hasMessageStartingWith("No poller provider is available")
                .hasMessageContaining("another copy of io.thrust.poll.PollerProvider");
    }

    @Test
    void thePropertyNamesTheProvider() throws Exception {
        ClassLoader island = zoo.island("Slow", "Lion");

        System.setProperty(Pollers.PROPERTY, " SLOW ");
        assertThat(select(island).getName()).isEqualTo(Zoo.animal("Slow"));
        System.setProperty(Pollers.PROPERTY, "   ");
        assertThat(select(island).getName()).isEqualTo(Zoo.animal("Lion"));
        System.setProperty(Pollers.PROPERTY, "Loin");
        assertThatThrownBy(() -> select(island))
                .hasMessageStartingWith(
                        "There is no poller provider named \"loin\" (the system property thrust.poller is"
                                + " \"Loin\").\nDid you mean \"lion\"?\n");
    }

    @Test
    void aMissingNativePartFailsTheForcedChoiceAndExplainsTheDefaultOne() throws Exception {
        ClassLoader island = zoo.island("Down", "Lion");

        assertThat(select(island).getName()).isEqualTo(Zoo.animal("Lion"));
        assertThat((String) pollers(island, "explain"))
                .contains("  down (zoo.Zoo$Down): not available: its native part is missing\n"
                        + "    caused by java.lang.UnsatisfiedLinkError: no zoo in the path\n");
        System.setProperty(Pollers.PROPERTY, "down");
        assertThatThrownBy(() -> select(island))
                .hasMessageContaining(
                        "The poller provider \"down\" is not available (the system property thrust.poller")
                .hasCauseInstanceOf(UnsatisfiedLinkError.class);
    }

    @Test
    void anExplicitNameIsTakenBeforeTheProperty() throws Exception {
        ClassLoader island = zoo.island("Slow", "Lion");
        System.setProperty(Pollers.PROPERTY, "slow");

        Class<?> pollers = Class.forName(Pollers.class.getName(), true, island);
        Object lion = pollers.getMethod("select", String.class).invoke(null, "lion");

        assertThat(lion.getClass().getName()).isEqualTo(Zoo.animal("Lion"));
    }

    @Test
    void discoverAsksTheSameLoaderAsSelect() throws Exception {
        List<?> found = (List<?>) pollers(zoo.island("Slow", "Lion"), "discover");

        assertThat(found).hasSize(2);
        assertThat(found.get(0).toString()).contains(Zoo.animal("Lion"));
    }

    @Test
    void noClassLoaderIsKeptForItsFailures() throws Exception {
        WeakReference<ClassLoader> gone = discoverOnce();

        long patience = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (gone.get() != null && System.nanoTime() < patience) {
            System.gc();
            Thread.onSpinWait();
        }

        assertThat(gone.get()).isNull();
    }

    private static WeakReference<ClassLoader> discoverOnce() throws IOException {
        try (URLClassLoader loader = new URLClassLoader(
                zoo.loader("Lion", "StaticThrows", "Lazy", "ConstructorThrows", "Orphan")
                        .getURLs(),
                PollerProvider.class.getClassLoader())) {
            assertThat(Pollers.discover(loader)).hasSize(5);
            assertThat(Pollers.discover(loader)).hasSize(5);
            return new WeakReference<>(loader);
        }
    }

    private static Class<?> select(ClassLoader island) throws Exception {
        return pollers(island, "select").getClass();
    }

    private static Object pollers(ClassLoader island, String method) throws Exception {
        try {
            return Class.forName(Pollers.class.getName(), true, island)
                    .getMethod(method)
                    .invoke(null);
        } catch (InvocationTargetException e) {
            throw (Exception) e.getCause();
        }
    }

    private static <T> T under(ClassLoader context, Callable<T> action) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(context);
        try {
            return action.call();
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
