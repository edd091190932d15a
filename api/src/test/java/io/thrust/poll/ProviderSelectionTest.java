package io.thrust.poll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which provider is chosen, and what a person reads when none can be. */
class ProviderSelectionTest {
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

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "  \t "})
    void withoutANameTheAvailableOneOfHighestPriorityIsChosen(String name) throws IOException {
        ClassLoader loader = zoo.loader("Slow", "Down", "Lion");

        assertThat(Pollers.select(name, loader).name()).isEqualTo("lion");
    }

    @Test
    void amongEqualsTheFirstByNameIsChosenInWhateverOrderTheyAreFound() throws IOException {
        assertThat(Pollers.select(null, zoo.loader("Ant", "Lion", "Bear")).name())
                .isEqualTo("bear");
        assertThat(Pollers.select(null, zoo.loader("Bear", "Lion", "Ant")).name())
                .isEqualTo("bear");
    }

    @ParameterizedTest
    @ValueSource(strings = {"slow", "SLOW", " Slow\t"})
    void aNameIsAnOrder(String name) throws IOException {
        assertThat(Pollers.select(name, zoo.loader("Slow", "Lion")).name()).isEqualTo("slow");
    }

    @Test
    void anOrderThatIsKeptAsksNoOtherProviderWhetherItIsAvailable() throws IOException {
        ClassLoader loader = zoo.loader("Slow", "NoMemoryLater"); // it lets nobody ask and go on

        assertThat(Pollers.select("slow", loader).name()).isEqualTo("slow");
        assertThatThrownBy(() -> Pollers.select("slough", loader)).isInstanceOf(OutOfMemoryError.class);
        assertThatThrownBy(() -> Pollers.select(null, loader)).isInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void aNameIsComparedAlikeInEveryLocale() throws IOException {
        ClassLoader loader = zoo.loader("Ibex", "Lion");
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("tr-TR"));
        try {
            assertThat(Pollers.select("IBEX", loader).name()).isEqualTo("ibex");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void anUnknownNameFailsWithEverythingOneNeedsToKnow() throws IOException {
        ClassLoader loader = zoo.loader("Lion", "Down", "ConstructorThrows", "Slow");

        PollerSelectionException failure = failure("Loin", loader);

        assertThat(failure.getMessage().lines())
                .containsSubsequence(
                        "There is no poller provider named \"loin\" (the program asked for \"Loin\"; the default is the"
                                + " system property thrust.poller).",
                        "Did you mean \"lion\"?",
                        "Installed:",
                        "  down (zoo.Zoo$Down): not available: its native part is missing",
                        "    caused by java.lang.UnsatisfiedLinkError: no zoo in the path",
                        "      looked in: a",
                        "      b",
                        "  lion (zoo.Zoo$Lion): available",
                        "  slow (zoo.Zoo$Slow): available",
                        "  zoo.Zoo$ConstructorThrows: not available: its constructor failed:"
                                + " java.lang.IllegalStateException: constructor boom",
                        "Not installed:",
                        "Where no name is given, \"lion\" is chosen, the best available.");
        assertThat(failure).hasCauseInstanceOf(UnsatisfiedLinkError.class);
        assertThat(failure.getSuppressed()).hasSize(1);
        assertThat(failure.getSuppressed()[0]).hasMessage("constructor boom");
    }

    @Test
    void anUnknownNameThatIsNearNothingGetsNoSuggestion() throws IOException {
        assertThat(failure("zebra", zoo.loader("Lion")))
                .hasMessageStartingWith("There is no poller provider named \"zebra\"")
                .hasMessageNotContaining("Did you mean");
    }

    @Test
    void aKnownBackendThatIsNotInstalledIsNamedByItsCoordinates() throws IOException {
        PollerSelectionException failure = failure("epoll", zoo.loader("Lion"));

        assertThat(failure)
                .hasMessageStartingWith(
                        "The poller provider \"epoll\" is not installed (the program asked for \"epoll\";")
                .hasMessageContaining("\nAdd io.thrust:thrust-backend-epoll:")
                .hasMessageContaining("to the class path or module path.");
        assertThat(failure("epol", zoo.loader("Lion")))
                .hasMessageContaining("\nDid you mean \"epoll\"?")
                .hasMessageContaining("\n  epoll for Linux: add io.thrust:thrust-backend-epoll:");
    }

    @Test
    void anUnavailableNameFailsWithItsCauseAndIsNotReplaced() throws IOException {
        PollerSelectionException failure = failure("down", zoo.loader("ConstructorThrows", "Down", "Lion"));

        assertThat(failure)
                .hasMessageStartingWith(
                        "The poller provider \"down\" is not available (the program asked for \"down\";")
                .hasMessageContaining("thrust.poller): its native part is missing.\n")
                .hasMessageContaining("\n  lion (zoo.Zoo$Lion): available\n")
                .hasCauseInstanceOf(UnsatisfiedLinkError.class);
    }

    @Test
    void aBrokenProviderAskedForByNameFailsWithItsCause() throws IOException {
        assertThat(failure("lazy", zoo.loader("Lazy", "Lion")))
                .hasMessageContaining("its availability() failed: java.lang.AssertionError: lazy boom.")
                .hasCauseInstanceOf(AssertionError.class);
        String known = KnownBackends.all().get(0).name();
        assertThat(failure(known, zoo.loader(KnownBackends.all().get(0).packageName() + ".Missing")))
                .hasMessageStartingWith("The poller provider \"" + known + "\" is not available")
                .hasMessageContaining("a services file names this class, but it cannot be found")
                .hasMessageNotContaining("  " + known + " for ");
    }

    @Test
    void whereNoneIsAvailableTheReasonsOfAllAreListed() throws IOException {
        PollerSelectionException failure = failure(null, zoo.loader("Down", "AvailabilityThrows"));

        assertThat(failure)
                .hasMessageStartingWith("No poller provider is available (no name was given).\nInstalled:\n")
                .hasMessageContaining("\n  down (zoo.Zoo$Down): not available: its native part is missing\n")
                .hasMessageContaining(
                        "\n  availabilitythrows (zoo.Zoo$AvailabilityThrows): not available: its availability()")
                .hasMessageContaining("\nNot installed:\n")
                .hasCauseInstanceOf(UnsatisfiedLinkError.class);
        assertThat(failure.getSuppressed()).hasSize(1);
    }

    @Test
    void whereNoneIsInstalledTheCoordinatesOfAllAreListed() throws IOException {
        PollerSelectionException failure = failure(null, zoo.loader());

        assertThat(failure.getMessage().lines().toList())
                .hasSize(3 + KnownBackends.all().size())
                .startsWith(
                        "No poller provider is installed (no name was given).", "Installed: none", "Not installed:");
        assertThat(KnownBackends.all())
                .isNotEmpty()
                .allSatisfy(backend -> assertThat(failure)
                        .hasMessageContaining("  " + backend.name() + " for " + backend.systems() + ": add "
                                + backend.coordinates()));
        assertThat(failure).hasNoCause();
    }

    @Test
    void aNameThatTwoClassesHaveIsRefusedIfAskedForOrBest() throws IOException {
        String both = "The poller provider \"lion\" is not unique (%s): zoo.Zoo$Twin and zoo.Zoo$Lion have this name;";
        assertThat(failure("lion", zoo.loader("Lion", "Twin", "Slow")))
                .hasMessageStartingWith(String.format(
                        both, "the program asked for \"lion\"; the default is the system property " + Pollers.PROPERTY))
                .hasMessageNotContaining("Where no name is given");
        assertThat(failure(null, zoo.loader("Lion", "Twin", "Slow")))
                .hasMessageStartingWith(String.format(both, "no name was given"));
    }

    @Test
    void aNameThatTwoClassesHaveDoesNotHinderTheOthers() throws IOException {
        ClassLoader loader = zoo.loader("Lion", "Twin", "Slow", "Bear");

        assertThat(Pollers.select("slow", loader).name()).isEqualTo("slow");
        assertThat(Pollers.select(null, loader).name()).isEqualTo("bear");
        assertThat(Pollers.explain(loader)).contains("    not unique: zoo.Zoo$Twin and zoo.Zoo$Lion have this name\n");
    }

    @Test
    void theExplanationSaysWhatWasChosenAndWhyNotTheOthers() throws IOException {
        String text = Pollers.explain(zoo.loader("Slow", "Lion", "Bear", "Down", "ConstructorThrows"));

        assertThat(text.lines())
                .startsWith(
                        "Poller provider: bear, the best available (the system property thrust.poller is not set).",
                        "Installed:",
                        "  down (zoo.Zoo$Down): not available: its native part is missing")
                .contains(
                        "  bear (zoo.Zoo$Bear): chosen; available, priority 50, modes EDGE, LEVEL, ONE_SHOT",
                        "  lion (zoo.Zoo$Lion): not chosen: bear of the same priority comes first by name; available,"
                                + " priority 50, modes EDGE, LEVEL, ONE_SHOT",
                        "  slow (zoo.Zoo$Slow): not chosen: its priority is lower than that of bear; available,"
                                + " priority 10, modes EDGE, LEVEL, ONE_SHOT",
                        "  zoo.Zoo$ConstructorThrows: not available: its constructor failed:"
                                + " java.lang.IllegalStateException: constructor boom");
    }

    @Test
    void theExplanationFollowsThePropertyAndNeverFails() throws IOException {
        ClassLoader loader = zoo.loader("Slow", "Lion");
        System.setProperty(Pollers.PROPERTY, "Slow ");
        assertThat(Pollers.explain(loader))
                .startsWith("Poller provider: slow (the system property thrust.poller is \"Slow \").\n")
                .contains("  lion (zoo.Zoo$Lion): not chosen: another one was asked for; available, priority 50");
        System.setProperty(Pollers.PROPERTY, "loin");
        assertThat(Pollers.explain(loader))
                .startsWith("Poller provider: none. There is no poller provider named \"loin\" (the system property"
                        + " thrust.poller is \"loin\").\nDid you mean \"lion\"?\n");
    }

    @Test
    void aNullLoaderIsRefused() {
        assertThatThrownBy(() -> Pollers.discover(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("loader");
        assertThatThrownBy(() -> Pollers.select("lion", null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("loader");
        assertThatThrownBy(() -> Pollers.explain(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("loader");
    }

    private static PollerSelectionException failure(String name, ClassLoader loader) {
        return catchThrowableOfType(PollerSelectionException.class, () -> Pollers.select(name, loader));
    }
}
