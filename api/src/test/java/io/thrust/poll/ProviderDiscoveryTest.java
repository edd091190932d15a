package io.thrust.poll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link Pollers#discover} finds, and that nothing which is broken hides what works. */
class ProviderDiscoveryTest {
    @TempDir
    static Path directory;

    private static Zoo zoo;

    @BeforeAll
    static void compile() throws IOException {
        zoo = new Zoo(directory);
    }

    @AfterAll
    static void close() throws IOException {
        zoo.close();
    }

    @Test
    void aProviderIsListedWithAllThatItSays() throws IOException {
        List<DiscoveredProvider> found = Pollers.discover(zoo.loader("Lion"));

        assertThat(found).hasSize(1);
        DiscoveredProvider lion = found.get(0);
        assertThat(lion.name()).isEqualTo("lion");
        assertThat(lion.className()).isEqualTo(Zoo.animal("Lion"));
        assertThat(lion.provider()).isNotNull();
        assertThat(lion.isAvailable()).isTrue();
        assertThat(lion.priority()).isEqualTo(50);
        assertThat(lion.modes()).containsExactlyInAnyOrder(Mode.EDGE, Mode.LEVEL, Mode.ONE_SHOT);
    }

    @Test
    void anUnavailableProviderIsListedWithReasonAndCause() throws IOException {
        DiscoveredProvider down = Pollers.discover(zoo.loader("Down")).get(0);

        assertThat(down.provider()).isNotNull();
        assertThat(down.isAvailable()).isFalse();
        assertThat(down.availability().reason()).isEqualTo("its native part is missing");
        assertThat(down.availability().cause()).isInstanceOf(UnsatisfiedLinkError.class);
    }

    @Test
    void theBestComeFirstAndTheBrokenLast() throws IOException {
        List<DiscoveredProvider> found =
                Pollers.discover(zoo.loader("ConstructorThrows", "Sloth", "Slow", "Lion", "Bear", "Ibex", "Down"));

        assertThat(found)
                .extracting(DiscoveredProvider::name)
                .containsExactly("down", "bear", "lion", "ibex", "slow", "sloth", null);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    ConstructorThrows | its constructor failed: java.lang.IllegalStateException: constructor boom
                    StaticThrows      | its static initialiser failed: java.lang.IllegalStateException: static boom
                    StaticError       | its static initialiser failed: java.lang.AssertionError: static boom
                    Orphan            | the class cannot be loaded: java.lang.ClassNotFoundException: zoo.Zoo$Gone
                    Faceless          | the class cannot be loaded: java.lang.ClassNotFoundException: zoo.Zoo$GoneInterface
                    Extinct           | a services file names this class, but it cannot be found
                    NoProvider        | the class does not implement io.thrust.poll.PollerProvider
                    Hidden            | its constructor failed: java.lang.IllegalAccessException
                    Unborn            | its constructor failed: java.lang.InstantiationException
                    Choosy            | its constructor failed: java.lang.NoSuchMethodException
                    NameThrows        | its name() failed: java.lang.IllegalStateException: boom
                    NameNull          | its name() returned null, but a name has one or more lower-case letters
                    NameBlank         | its name() returned " ", but a name has one or more lower-case letters
                    NameUpper         | its name() returned "Lion", but a name has one or more lower-case letters
                    """)
    void whatHasNoNameIsALineWithItsCauseAndHidesNothing(String animal, String reason) throws IOException {
        List<DiscoveredProvider> found = Pollers.discover(zoo.loader("Slow", animal, "Lion"));

        assertThat(found).extracting(DiscoveredProvider::name).containsExactly("lion", "slow", null);
        DiscoveredProvider broken = found.get(2);
        assertThat(broken.className()).isEqualTo(Zoo.animal(animal));
        assertThat(broken.provider()).isNull();
        assertThat(broken.isAvailable()).isFalse();
        assertThat(broken.availability().reason()).startsWith(reason);
        assertThat(broken.modes()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    PriorityThrows     | its priority() failed: java.lang.IllegalStateException: boom
                    ModesThrows        | its modes() failed: java.lang.IllegalStateException: boom
                    ModesNull          | its modes() returned null, but must name at least EDGE
                    ModesLevel         | its modes() returned [LEVEL], but must name at least EDGE
                    ModesHole          | its modes() returned [null], in which null is no mode
                    ModesText          | its modes() returned [EDGE], in which EDGE is no mode
                    AvailabilityThrows | its availability() failed: java.lang.IllegalStateException: boom
                    AvailabilityNull   | its availability() returned null
                    Lazy               | its availability() failed: java.lang.AssertionError: lazy boom
                    Deep               | its availability() failed: java.lang.StackOverflowError
                    """)
    void whatSaysNonsenseKeepsItsNameAndIsNotAvailable(String animal, String reason) throws IOException {
        List<DiscoveredProvider> found = Pollers.discover(zoo.loader("Slow", animal, "Lion"));

        assertThat(found).filteredOn(DiscoveredProvider::isAvailable).hasSize(2);
        DiscoveredProvider broken =
                found.stream().filter(entry -> !entry.isAvailable()).findFirst().orElseThrow();
        assertThat(broken.name()).isEqualTo(animal.toLowerCase(Locale.ROOT));
        assertThat(broken.className()).isEqualTo(Zoo.animal(animal));
        assertThat(broken.availability().reason()).isEqualTo(reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"StaticThrows", "StaticError", "Lazy", "Orphan", "ConstructorThrows"})
    void askedTwiceItGivesTheSameRootCause(String animal) throws IOException {
        ClassLoader loader = zoo.loader(animal);

        DiscoveredProvider first = Pollers.discover(loader).get(0);
        DiscoveredProvider second = Pollers.discover(loader).get(0);

        assertThat(second.availability().reason())
                .isEqualTo(first.availability().reason());
        assertThat(Failures.describe(second.availability().cause()))
                .isEqualTo(Failures.describe(first.availability().cause()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"NoMemory", "NoMemoryStatic", "NoMemoryLater"})
    void anErrorOfTheVirtualMachineIsPassedOn(String animal) throws IOException {
        ClassLoader loader = zoo.loader("Lion", animal);

        assertThatThrownBy(() -> Pollers.discover(loader))
                .isInstanceOf(OutOfMemoryError.class)
                .hasMessage("test");
    }

    @Test
    void theDeathOfAThreadIsPassedOn() throws IOException {
        ClassLoader loader = zoo.loader("Dying");

        assertThatThrownBy(() -> Pollers.discover(loader))
                .extracting(thrown -> thrown.getClass().getName())
                .isEqualTo("java.lang.ThreadDeath");
    }

    @Test
    void aBadLineOfAServicesFileIsALineAndTheOthersAreFound() throws IOException {
        String[] lines = {
            "# a comment",
            "",
            "  " + Zoo.animal("Lion") + "  # trailing",
            "two words",
            "1st.Class",
            "a..b",
            "a.b.",
            Zoo.animal("Slow")
        };

        List<DiscoveredProvider> found = Pollers.discover(zoo.loader(lines));

        assertThat(found).extracting(DiscoveredProvider::name).containsExactly("lion", "slow", null, null, null, null);
        assertThat(found.subList(2, 6)).allSatisfy(broken -> {
            assertThat(broken.className()).contains(Zoo.SERVICES_FILE + " line ");
            assertThat(broken.availability().reason()).contains("is not the name of a class");
        });
        assertThat(found.get(2).className()).endsWith("line 4");
        assertThat(found.get(2).availability().reason()).startsWith("\"two words\"");
    }

    @Test
    void aClassNamedTwiceIsOneEntryEvenIfItIsMissing() throws IOException {
        ClassLoader loader = zoo.loader(
                PollerProvider.class.getClassLoader(),
                zoo.services("Lion", "Extinct", "Lion"),
                zoo.services("Lion", "Slow", "Extinct"),
                zoo.classes());

        assertThat(Pollers.discover(loader))
                .extracting(DiscoveredProvider::className)
                .containsExactly(Zoo.animal("Lion"), Zoo.animal("Slow"), Zoo.animal("Extinct"));
    }

    @Test
    void twoClassesOfOneNameAreBothListed() throws IOException {
        assertThat(Pollers.discover(zoo.loader("Lion", "Twin")))
                .extracting(DiscoveredProvider::name, DiscoveredProvider::className)
                .containsExactly(tuple("lion", Zoo.animal("Twin")), tuple("lion", Zoo.animal("Lion")));
    }

    @Test
    void aProviderOfAnotherCopyOfTheSpiIsNamedAsSuch() throws IOException {
        ClassLoader stranger = zoo.island("Lion");

        DiscoveredProvider lion = Pollers.discover(stranger).get(0);

        assertThat(lion.isAvailable()).isFalse();
        assertThat(lion.availability().reason())
                .contains("another copy of io.thrust.poll.PollerProvider")
                .contains("keep one copy of thrust-api");
    }

    @Test
    void aClassLoaderThatFailsIsALine() {
        ClassLoader stopped = new ClassLoader(null) {
            @Override
            public Enumeration<URL> getResources(String name) {
                throw new IllegalStateException("the application was stopped");
            }
        };

        List<DiscoveredProvider> found = Pollers.discover(stopped);

        assertThat(found).hasSize(1);
        assertThat(found.get(0).availability().reason())
                .isEqualTo("it cannot be read: java.lang.IllegalStateException: the application was stopped");
    }

    @Test
    void aServicesFileThatCannotBeReadIsALineAndTheOthersAreRead() throws IOException {
        Path good = zoo.services("Lion");
        URL missing = directory.resolve("missing").toUri().toURL();
        ClassLoader loader = new ClassLoader(zoo.loader()) {
            @Override
            public Enumeration<URL> getResources(String name) throws IOException {
                return Collections.enumeration(
                        List.of(missing, good.resolve(Zoo.SERVICES_FILE).toUri().toURL()));
            }
        };

        List<DiscoveredProvider> found = Pollers.discover(loader);

        assertThat(found).extracting(DiscoveredProvider::name).containsExactly("lion", null);
        assertThat(found.get(1).className()).isEqualTo(missing.toString());
        assertThat(found.get(1).availability().reason()).startsWith("it cannot be read: ");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anEnumerationThatNeverEndsToFailIsOneLine(boolean atNext) throws IOException {
        Enumeration<URL> stuck = new Enumeration<>() {
            @Override
            public boolean hasMoreElements() {
                if (atNext) {
                    return true;
                }
                throw new IllegalStateException("stuck");
            }

            @Override
            public URL nextElement() {
                throw new IllegalStateException("stuck");
            }
        };
        ClassLoader hostile = new ClassLoader(null) {
            @Override
            public Enumeration<URL> getResources(String name) {
                return stuck;
            }
        };

        List<DiscoveredProvider> found = Pollers.discover(hostile);

        assertThat(found).hasSize(1);
        assertThat(found.get(0).availability().reason())
                .isEqualTo("it cannot be read: java.lang.IllegalStateException: stuck");
    }

    @Test
    void aBrokenBackendThatIsKnownKeepsItsName() throws IOException {
        String known = KnownBackends.all().get(0).name();
        String className = KnownBackends.all().get(0).packageName() + ".Missing";

        assertThat(Pollers.discover(zoo.loader(className)))
                .extracting(DiscoveredProvider::name, DiscoveredProvider::className)
                .containsExactly(tuple(known, className));
    }

    @Test
    void theListIsNobodysToChange() throws IOException {
        List<DiscoveredProvider> found = Pollers.discover(zoo.loader("Lion"));

        assertThatThrownBy(found::clear).isInstanceOf(UnsupportedOperationException.class);
        Set<Mode> modes = found.get(0).modes();
        assertThatThrownBy(modes::clear).isInstanceOf(UnsupportedOperationException.class);
    }
}
