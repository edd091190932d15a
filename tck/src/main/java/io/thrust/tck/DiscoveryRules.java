package io.thrust.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thrust.poll.Availability;
import io.thrust.poll.Mode;
import io.thrust.poll.PollerProvider;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.util.ServiceLoader;
import java.util.Set;

/** Chapter 8: discovery. */
interface DiscoveryRules extends Chapter {

    @Rule("8.1")
    default void theNameIsWellFormed() {
        String name = fixture().provider().name();
        assertTrue(name.matches("[a-z0-9-]+"), () -> "the name \"" + name + "\" is not of [a-z0-9-]");
        assertEquals(name, fixture().provider().name(), "the name changes");
        assertEquals(fixture().provider().priority(), fixture().provider().priority(), "the priority changes");
    }

    @Rule("8.2")
    default void theProviderCanBeMadeByAServiceLoader() throws Exception {
        Class<?> type = fixture().provider().getClass();
        assertTrue(Modifier.isPublic(type.getModifiers()), () -> type + " is not public");
        Constructor<?> constructor = type.getDeclaredConstructor();
        assertTrue(Modifier.isPublic(constructor.getModifiers()), () -> constructor + " is not public");
        PollerProvider another = (PollerProvider) constructor.newInstance();
        assertEquals(fixture().provider().name(), another.name(), "name of a second instance");
        assertEquals(fixture().provider().modes(), another.modes(), "modes of a second instance");
    }

    @Rule(value = "8.3", level = Level.SHOULD)
    default void theProviderIsListedAsAService() throws Exception {
        Class<?> type = fixture().provider().getClass();
        boolean listed = false;
        for (ServiceLoader.Provider<PollerProvider> found :
                ServiceLoader.load(PollerProvider.class, type.getClassLoader()).stream()
                        .toList()) {
            listed |= found.type() == type;
        }
        assertTrue(listed, () -> type.getName() + " is not listed in META-INF/services/io.thrust.poll.PollerProvider");
    }

    @Rule("8.4")
    default void theModesAreFixedAndIncludeEdge() {
        Set<Mode> modes = fixture().provider().modes();
        assertTrue(modes.contains(Mode.EDGE), () -> "the modes " + modes + " lack EDGE");
        Set<Mode> copy = Set.copyOf(modes);
        for (Mode mode : Mode.values()) {
            try {
                modes.add(mode);
                modes.remove(mode);
            } catch (UnsupportedOperationException e) {
                // As a fixed set has to answer.
            }
        }
        assertEquals(copy, fixture().provider().modes(), "the modes after an attempt to change them");
    }

    @Rule("8.5")
    default void availabilityIsStable() {
        Availability first = fixture().provider().availability();
        assertNotNull(first, "availability");
        for (int i = 0; i < 10; i++) {
            Availability again = fixture().provider().availability();
            assertEquals(first.isAvailable(), again.isAvailable(), "the availability changes");
            assertEquals(first.reason(), again.reason(), "the reason changes");
        }
    }

    @Rule("8.6")
    default void availabilityLeaksNothing() throws Exception {
        fixture().provider().availability();
        int before = fixture().openDescriptors();
        for (int i = 0; i < 100; i++) {
            fixture().provider().availability();
        }
        fixture().expectDescriptorsBackTo(before, 0, "the availability was asked for 100 times");
    }

    @Rule("8.7")
    default void anyThreadMayOpen() throws Exception {
        Thread self = Thread.currentThread();
        ClassLoader former = self.getContextClassLoader();
        try {
            self.setContextClassLoader(null);
            fixture().watch().expectSilence("opened without a context class loader");
        } finally {
            self.setContextClassLoader(former);
        }
        fixture()
                .helper("tck-opener", () -> {
                    Connection pair = fixture().connection();
                    fixture().write(pair.client(), "x");
                    assertEquals("x", fixture().readText(pair.server(), 1));
                    fixture().poller().poll(0);
                })
                .join();
    }
}
