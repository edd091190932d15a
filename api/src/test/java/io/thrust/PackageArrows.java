package io.thrust;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Who may import whom among the packages of this module; a package may always import itself and {@code java.*}. */
final class PackageArrows {
    private static final Map<String, Set<String>> ALLOWED = new TreeMap<>(Map.of(
            "io.thrust.log", Set.of(),
            "io.thrust.poll", Set.of(),
            "io.thrust.poll.spi", Set.of("io.thrust.poll"),
            "io.thrust.task", Set.of("io.thrust.log"),
            "io.thrust.sync", Set.of("io.thrust.task", "io.thrust.log"),
            "io.thrust.reactor", Set.of("io.thrust.poll", "io.thrust.task", "io.thrust.log"),
            "io.thrust", Set.of("io.thrust.reactor", "io.thrust.task", "io.thrust.poll"),
            "io.thrust.net",
                    Set.of("io.thrust", "io.thrust.reactor", "io.thrust.task", "io.thrust.poll", "io.thrust.log")));

    private PackageArrows() {}

    /** The packages that have a rule, in order; a class anywhere else breaks one. */
    static Set<String> packages() {
        return ALLOWED.keySet();
    }

    static boolean allows(String from, String to) {
        return from.equals(to) || ALLOWED.getOrDefault(from, Set.of()).contains(to);
    }

    /** All rules; those of packages without a class hold. */
    static List<ArchRule> rules() {
        List<ArchRule> rules = new ArrayList<>();
        ALLOWED.forEach((from, allowed) -> {
            List<String> targets = new ArrayList<>(List.of("java..", "org.jspecify.annotations", from));
            targets.addAll(allowed);
            rules.add(classes()
                    .that()
                    .resideInAPackage(from)
                    .should()
                    .onlyDependOnClassesThat()
                    .resideInAnyPackage(targets.toArray(String[]::new))
                    .allowEmptyShould(true));
        });
        rules.add(classes()
                .should()
                .resideInAnyPackage(ALLOWED.keySet().toArray(String[]::new))
                .as("every package should have a rule of its own"));
        rules.add(SlicesRuleDefinition.slices()
                .assignedFrom(new ByPackage())
                .should()
                .beFreeOfCycles());
        return rules;
    }

    /** Each package is a slice, the root among them. */
    private static final class ByPackage implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
            String name = javaClass.getPackageName();
            return name.startsWith("io.thrust") ? SliceIdentifier.of(name) : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "packages of io.thrust";
        }
    }
}
