package io.thrust.tck;

import io.thrust.poll.Availability;
import io.thrust.poll.PollerProvider;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The kit as a JUnit class: extend it, return the provider, and run it with any JUnit Jupiter runner.
 *
 * <pre>{@code
 * class MyPollerTest extends PollerTck {
 *     @Override
 *     protected PollerProvider provider() {
 *         return new MyPollerProvider();
 *     }
 * }
 * }</pre>
 *
 * <p>A build depends on {@code io.thrust:thrust-tck} in its test scope, which brings JUnit along. The runnable {@code
 * thrust-tck.jar} has JUnit inside, which is enough for a compiler and for the command line, but Maven's Surefire looks for
 * JUnit among the dependencies and runs no test, in silence, where only that jar is one: set its {@code failIfNoTests}, and
 * make {@code org.apache.maven.surefire:surefire-junit-platform} a dependency of the plugin.
 *
 * <p>Each test is a rule of {@code SPEC.md}; a failure says the rule's sentence and what to check. Rules for what the provider
 * does not declare are skipped, and each such declaration is checked by a rule of its own. Each rule runs in a thread of its
 * own.
 */
@ExtendWith(RuleExtension.class)
@DisplayNameGeneration(RuleExtension.Names.class)
@TestMethodOrder(RuleExtension.Order.class)
public abstract class PollerTck
        implements RegistrationRules,
                ReadinessRules,
                EdgeRules,
                TimeRules,
                WakeupRules,
                StreamRules,
                ConnectRules,
                RaceRules,
                ThreadRules,
                DiscoveryRules,
                RuntimeRules,
                EventLoopRules,
                WalkRules {
    private @Nullable Fixture fixture;

    /** Returns the provider under test; called once for each rule. */
    protected abstract PollerProvider provider();

    /** How long the rules wait, and how hard they try; from system properties unless overridden. */
    protected Environment environment() {
        return Environment.ofSystemProperties();
    }

    /** The numbers of SHOULD rules that this provider breaks for a good reason; they are listed as skipped. */
    protected Set<String> waived() {
        return Set.of();
    }

    @BeforeEach
    final void openFixture() {
        PollerProvider provider = provider();
        Availability availability = provider.availability();
        Assumptions.assumeTrue(
                availability.isAvailable(),
                () -> "poller " + provider.name() + " is not available: " + availability.reason());
        fixture = new Fixture(provider, environment());
    }

    @AfterEach
    final void forgetFixture() {
        fixture = null;
    }

    /** What the present rule works with; for the rules themselves. */
    @Override
    public final Fixture fixture() {
        Fixture present = fixture;
        if (present == null) {
            throw new IllegalStateException("a fixture exists only while a rule runs");
        }
        return present;
    }
}
