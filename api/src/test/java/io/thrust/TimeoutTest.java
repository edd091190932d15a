package io.thrust;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thrust.poll.spi.FakeProvider;
import io.thrust.task.Async;
import io.thrust.task.FakeParkers;
import io.thrust.task.Waker;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TimeoutTest {
    @Test
    void aComputationThatCannotBeCancelledDoesNotHideWhyItWasToBe() throws Exception {
        IllegalStateException stuck = new IllegalStateException("stuck");
        Async<String> endless = new Async<>() {
            @Override
            public boolean poll(Waker waker) {
                return PENDING;
            }

            @Override
            public String result() {
                throw new IllegalStateException("not ready");
            }

            @Override
            public void cancel() {
                throw stuck;
            }
        };

        try (EventLoop loop = EventLoop.open(new FakeProvider())) {
            assertThatThrownBy(() -> loop.blockOn(Timers.timeout(Duration.ZERO, endless)))
                    .isInstanceOf(AsyncTimeoutException.class)
                    .hasSuppressedException(stuck);
        }
        assertThatThrownBy(() -> FakeParkers.executor().blockOn(Timers.timeout(Duration.ZERO, endless)))
                .hasMessageContaining("no event loop is running")
                .hasSuppressedException(stuck);
    }
}
