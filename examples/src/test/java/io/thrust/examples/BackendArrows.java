package io.thrust.examples;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.thrust.poll.PollerProvider;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What a backend may import of this project: {@code io.thrust.poll} and {@code io.thrust.poll.spi}, and itself. */
final class BackendArrows {
    private static final String SERVICE = "META-INF/services/" + PollerProvider.class.getName();
    private static final Set<String> OPEN = Set.of("io.thrust.poll", "io.thrust.poll.spi");

    private BackendArrows() {}

    /** Where the backends on the class path lie: the roots of everything that declares a provider. */
    static Set<URL> roots(ClassLoader loader) throws IOException {
        Set<URL> roots = new LinkedHashSet<>();
        for (URL service : Collections.list(loader.getResources(SERVICE))) {
            roots.add(root(service));
        }
        return roots;
    }

    /** One line for each forbidden import of the backend that lies at the given root. */
    static List<String> violations(URL root) {
        JavaClasses backend = new ClassFileImporter().importUrl(root);
        DescribedPredicate<JavaClass> foreign = DescribedPredicate.describe(
                "are neither the backend's own nor of " + OPEN,
                target -> isOfThrust(target.getPackageName())
                        && !OPEN.contains(target.getPackageName())
                        && !backend.contain(target.getBaseComponentType().getName()));
        return noClasses()
                .should()
                .dependOnClassesThat(foreign)
                .evaluate(backend)
                .getFailureReport()
                .getDetails();
    }

    private static boolean isOfThrust(String packageName) {
        return packageName.equals("io.thrust") || packageName.startsWith("io.thrust.");
    }

    private static URL root(URL service) throws MalformedURLException {
        String text = service.toExternalForm();
        return new URL(text.substring(0, text.length() - SERVICE.length()));
    }
}
