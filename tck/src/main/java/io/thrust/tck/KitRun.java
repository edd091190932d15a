package io.thrust.tck;

import io.thrust.poll.PollerProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** One run of the kit, or of some of its rules, over one provider. One at a time in a JVM. */
final class KitRun {
    private static final Object ONE_AT_A_TIME = new Object();
    private static volatile @Nullable KitRun current;

    private final PollerProvider provider;
    private final Environment environment;
    private final Set<String> waived;

    KitRun(PollerProvider provider, Environment environment, Set<String> waived) {
        this.provider = provider;
        this.environment = environment;
        this.waived = Set.copyOf(waived);
    }

    /**
     * Runs rules and returns what became of each, in the order of the specification.
     *
     * @param rules the numbers of the rules to run; all if empty
     * @param progress told of each result when it is there
     */
    List<RuleResult> run(Set<String> rules, Consumer<RuleResult> progress) {
        synchronized (ONE_AT_A_TIME) {
            current = this;
            try {
                Collector collector = new Collector(progress);
                launcher().execute(request(rules), collector);
                return collector.inOrder();
            } finally {
                current = null;
            }
        }
    }

    private static Launcher launcher() {
        return LauncherFactory.create(LauncherConfig.builder()
                .enableTestExecutionListenerAutoRegistration(false)
                .enablePostDiscoveryFilterAutoRegistration(false)
                .enableLauncherSessionListenerAutoRegistration(false)
                .enableLauncherDiscoveryListenerAutoRegistration(false)
                .build());
    }

    private static LauncherDiscoveryRequest request(Set<String> rules) {
        PostDiscoveryFilter filter = descriptor -> {
            RuleText rule = descriptor.getSource().map(KitRun::ruleOf).orElse(null);
            return FilterResult.includedIf(rule == null || rules.isEmpty() || rules.contains(rule.id()));
        };
        return LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(SelectedPoller.class))
                .filters(filter)
                // Nothing that lies about on a stranger's class path may change how the rules run.
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "false")
                .enableImplicitConfigurationParameters(false)
                .build();
    }

    private static @Nullable RuleText ruleOf(Object source) {
        if (source instanceof MethodSource method) {
            Rule rule = method.getJavaMethod().getAnnotation(Rule.class);
            return rule == null ? null : Specification.ofThisKit().rule(rule.value());
        }
        return null;
    }

    /** The kit over the provider of the present run. */
    static final class SelectedPoller extends PollerTck {
        private static KitRun present() {
            KitRun run = current;
            if (run == null) {
                throw new IllegalStateException("this class is run by the kit's own program");
            }
            return run;
        }

        @Override
        protected PollerProvider provider() {
            return present().provider;
        }

        @Override
        protected Environment environment() {
            return present().environment;
        }

        @Override
        protected Set<String> waived() {
            return present().waived;
        }
    }

    private static final class Collector implements TestExecutionListener {
        private final Consumer<RuleResult> progress;
        private final Map<String, Long> started = new HashMap<>();
        private final Map<String, RuleResult> results = new LinkedHashMap<>();
        private @Nullable Throwable failure;

        Collector(Consumer<RuleResult> progress) {
            this.progress = progress;
        }

        @Override
        public void executionStarted(TestIdentifier identifier) {
            started.put(identifier.getUniqueId(), System.nanoTime());
        }

        @Override
        public void executionSkipped(TestIdentifier identifier, String reason) {
            add(identifier, RuleResult.Status.SKIPPED, reason, null);
        }

        @Override
        public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
            Throwable thrown = result.getThrowable().orElse(null);
            String message = thrown == null ? "" : String.valueOf(thrown.getMessage());
            switch (result.getStatus()) {
                case SUCCESSFUL -> add(identifier, RuleResult.Status.PASSED, "", null);
                case ABORTED ->
                    add(identifier, RuleResult.Status.SKIPPED, message.replace("Assumption failed: ", ""), null);
                default -> {
                    add(identifier, RuleResult.Status.FAILED, message, thrown);
                    if (!identifier.isTest()) {
                        failure = thrown;
                    }
                }
            }
        }

        private void add(
                TestIdentifier identifier, RuleResult.Status status, String detail, @Nullable Throwable thrown) {
            RuleText rule = identifier.getSource().map(KitRun::ruleOf).orElse(null);
            if (rule != null) {
                long now = System.nanoTime();
                Duration took = Duration.ofNanos(now - started.getOrDefault(identifier.getUniqueId(), now));
                RuleResult result = new RuleResult(rule, status, took, detail, thrown);
                results.put(rule.id(), result);
                progress.accept(result);
            }
        }

        List<RuleResult> inOrder() {
            if (failure != null) {
                throw new IllegalStateException("the kit could not run: " + failure, failure);
            }
            List<RuleResult> ordered = new ArrayList<>();
            for (RuleText rule : Specification.ofThisKit().rules()) {
                RuleResult result = results.get(rule.id());
                if (result != null) {
                    ordered.add(result);
                }
            }
            return ordered;
        }
    }
}
