package io.thrust.poll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationTargetException;
import java.util.ServiceConfigurationError;
import org.junit.jupiter.api.Test;

class FailuresTest {

    @Test
    void anErrorOfTheVirtualMachineIsFoundBelowTheWrappersOfReflectionAndServices() {
        Error fatal = new OutOfMemoryError("test");
        assertThatThrownBy(() -> Failures.rethrowIfFatal(fatal)).isSameAs(fatal);
        assertThatThrownBy(() -> Failures.rethrowIfFatal(new InvocationTargetException(fatal)))
                .isSameAs(fatal);
        assertThatThrownBy(() -> Failures.rethrowIfFatal(new ServiceConfigurationError("", fatal)))
                .isSameAs(fatal);
    }

    @Test
    void whatAProviderWrapsItselfAndWhatItOverflowsIsItsOwnFault() {
        assertThatCode(() -> Failures.rethrowIfFatal(new IllegalStateException(new OutOfMemoryError("test"))))
                .doesNotThrowAnyException();
        assertThatCode(() -> Failures.rethrowIfFatal(new StackOverflowError())).doesNotThrowAnyException();
    }

    @Test
    void theDescriptionIsThatOfTheInnermostCauseAndEndsOnACycle() {
        Exception inner = new IllegalStateException("inner");
        assertThat(Failures.describe(new RuntimeException("outer", inner)))
                .isEqualTo("java.lang.IllegalStateException: inner");
        assertThat(Failures.describe(new IllegalStateException())).isEqualTo("java.lang.IllegalStateException");
        inner.initCause(new RuntimeException("back", inner));
        assertThat(Failures.describe(inner)).isNotEmpty();
    }
}
