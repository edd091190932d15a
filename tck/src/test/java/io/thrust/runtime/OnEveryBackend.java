package io.thrust.runtime;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the tests of a {@link LoopTest} over each of its providers; those that are not available here are skipped. A loop
 * that hangs cannot be interrupted: the thread of the test is given up then.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("io.thrust.runtime.LoopTest#providers")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface OnEveryBackend {}
