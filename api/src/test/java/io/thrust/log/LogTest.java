package io.thrust.log;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.thrust.task.Logged;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** Logging never throws, and what cannot be logged is printed. */
@ResourceLock(Resources.SYSTEM_ERR)
class LogTest {
    private static final String NAME = "io.thrust.log.test";

    private final Log log = new Log(NAME);
    private final Logger logger = Logger.getLogger(NAME);
    private final PrintStream err = System.err;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @BeforeEach
    void catchWhatIsPrinted() {
        System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void restore() {
        logger.setFilter(null);
        System.setErr(err);
    }

    private String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    @Test
    void nothingElseLogs() {
        ArchRule rule = noClasses()
                .that()
                .doNotHaveFullyQualifiedName(Log.class.getName())
                .should()
                .dependOnClassesThat()
                .areAssignableTo(System.Logger.class)
                .orShould()
                .accessField(System.class, "err");
        JavaClasses classes = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.thrust");
        assertThat(classes.contain(Log.class)).isTrue();
        rule.check(classes);

        JavaClasses offender = new ClassFileImporter().importClasses(Offender.class);
        assertThat(rule.evaluate(offender).hasViolation()).isTrue();
    }

    private static final class Offender {
        @SuppressWarnings("unused") // is looked at, not called
        static void log() {
            System.getLogger(NAME).log(System.Logger.Level.INFO, "unguarded");
        }
    }

    @Test
    void theLoggerGetsTheMessageAndTheThrowable() {
        RuntimeException thrown = new RuntimeException("thrown");
        try (Logged logged = new Logged(NAME)) {
            log.error(() -> "an error", thrown);
            log.warning(() -> "a warning", thrown);

            assertThat(logged.messages()).containsExactly("an error", "a warning");
            assertThat(logged.thrown()).containsExactly(thrown, thrown);
        }
        assertThat(printed()).isEmpty();
    }

    @Test
    void whatALoggerThatFailsDoesNotTakeIsPrinted() {
        logger.setFilter(record -> {
            throw new NoClassDefFoundError("no file may be opened");
        });

        log.error(() -> "closing failed", new RuntimeException("the cause"));

        assertThat(printed()).contains(NAME, "closing failed", "the cause", "no file may be opened");
    }

    @Test
    void aMessageAndAThrowableWithoutTextAreToldOfNevertheless() {
        logger.setFilter(record -> {
            throw new RuntimeException("the logger");
        });

        log.warning(
                () -> {
                    throw new IllegalStateException("of the text");
                },
                new RuntimeException() {
                    @Override
                    public String toString() {
                        throw new StackOverflowError();
                    }
                });

        assertThat(printed()).contains(NAME, IllegalStateException.class.getName(), StackOverflowError.class.getName());
    }

    @Test
    void nothingIsThrownThoughNothingCanBePrinted() {
        logger.setFilter(record -> {
            throw new RuntimeException("the logger");
        });
        System.setErr(new PrintStream(printed) {
            @Override
            public void println(String text) {
                throw new RuntimeException("the console");
            }
        });

        log.error(() -> "what", new RuntimeException());

        assertThat(printed()).isEmpty();
    }
}
