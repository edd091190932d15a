package io.thrust.tck;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;

/** Marks the test of one rule of {@code SPEC.md}. */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Test
public @interface Rule {
    /** The rule's number, for example {@code 2.3}. */
    String value();

    /** The rule's level, the same as in {@code SPEC.md}. */
    Level level() default Level.MUST;
}
