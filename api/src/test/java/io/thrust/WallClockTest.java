package io.thrust;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.util.Date;
import org.junit.jupiter.api.Test;

/** Time is that of a monotonic clock: whoever sets the clock on the wall changes nothing here. */
class WallClockTest {
    private static final ArchRule RULE = noClasses()
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod("java.time.Instant", "now")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Clock.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Date.class);

    @Test
    void nothingAsksTheClockOnTheWall() {
        JavaClasses classes = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.thrust");
        assertThat(classes).hasSizeGreaterThan(50);
        RULE.check(classes);
    }

    @Test
    void theRuleSeesWhoeverDoes() {
        JavaClasses offender = new ClassFileImporter().importClasses(Offender.class);
        assertThat(RULE.evaluate(offender).hasViolation()).isTrue();
    }

    private static final class Offender {
        @SuppressWarnings("unused") // is looked at, not called
        static long now() {
            return System.currentTimeMillis();
        }
    }
}
