package io.thrust.tck;

import java.lang.reflect.Method;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.MethodDescriptor;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.MethodOrdererContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.opentest4j.TestAbortedException;

/**
 * Runs each rule in a thread of its own, so that a poller that hangs fails the rule and not the run, and adds the rule's
 * sentence and hints to a failure.
 */
final class RuleExtension implements InvocationInterceptor {

    @Override
    public void interceptTestMethod(
            Invocation<@Nullable Void> invocation,
            ReflectiveInvocationContext<Method> invocationContext,
            ExtensionContext extensionContext)
            throws Throwable {
        Rule rule = invocationContext.getExecutable().getAnnotation(Rule.class);
        PollerTck kit = (PollerTck) invocationContext.getTarget().orElseThrow();
        if (rule == null) {
            invocation.proceed();
            return;
        }
        RuleText text = Specification.ofThisKit().rule(rule.value());
        Throwable failure = run(invocation, kit, text);
        if (failure == null || failure instanceof TestAbortedException) {
            if (failure != null) {
                throw failure;
            }
            return;
        }
        if (text.level() == Level.SHOULD && kit.waived().contains(text.id())) {
            throw new TestAbortedException("waived although it fails: " + failure.getMessage(), failure);
        }
        throw new RuleFailure(text, failure);
    }

    private static @Nullable Throwable run(Invocation<@Nullable Void> invocation, PollerTck kit, RuleText rule) {
        AtomicReference<@Nullable Throwable> outcome = new AtomicReference<>();
        Fixture fixture = kit.fixture();
        Thread thread = new Thread(
                () -> {
                    Throwable failure = null;
                    try {
                        invocation.proceed();
                    } catch (Throwable e) {
                        failure = e;
                    }
                    Thread.interrupted();
                    try {
                        fixture.close();
                    } catch (Throwable e) {
                        if (failure == null || failure instanceof TestAbortedException) {
                            failure = e;
                        } else {
                            failure.addSuppressed(e);
                        }
                    }
                    outcome.set(failure);
                },
                "tck-" + rule.id());
        thread.setDaemon(true);
        thread.start();
        try {
            thread.join(fixture.environment().limit().toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return e;
        }
        if (thread.isAlive()) {
            AssertionError hanging = new AssertionError("it did not end within "
                    + fixture.environment().limit() + "; the trace shows where its thread was");
            hanging.setStackTrace(thread.getStackTrace());
            fixture.abandon();
            return hanging;
        }
        return outcome.get();
    }

    /** Orders the rules as the specification does; none depends on it. */
    static final class Order implements MethodOrderer {
        private static final List<String> IDS =
                Specification.ofThisKit().rules().stream().map(RuleText::id).toList();

        @Override
        public void orderMethods(MethodOrdererContext context) {
            context.getMethodDescriptors().sort(Comparator.comparingInt(Order::place));
        }

        private static int place(MethodDescriptor method) {
            return method.findAnnotation(Rule.class)
                    .map(rule -> IDS.indexOf(rule.value()))
                    .orElse(IDS.size());
        }
    }

    /** Names a rule by number, level and sentence. */
    static final class Names extends DisplayNameGenerator.Standard {
        @Override
        public String generateDisplayNameForMethod(List<Class<?>> enclosing, Class<?> testClass, Method method) {
            Rule rule = method.getAnnotation(Rule.class);
            if (rule == null) {
                return super.generateDisplayNameForMethod(enclosing, testClass, method);
            }
            RuleText text = Specification.ofThisKit().rule(rule.value());
            return text.id() + " " + text.level() + " " + text.sentence();
        }
    }
}
