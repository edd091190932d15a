package io.thrust;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MissedTicksTest {
    @ParameterizedTest
    @CsvSource({
        // due, now, next of each policy; the period is 10
        "100, 100, 110, 110, 110",
        "100, 109, 110, 110, 110",
        "100, 110, 110, 120, 120",
        "100, 119, 110, 129, 120",
        "100, 155, 110, 165, 160",
    })
    void theNextTick(long due, long now, long burst, long delay, long skip) {
        // Also where the clock overflows between the two.
        for (long shift : new long[] {0, Long.MAX_VALUE - 105}) {
            assertThat(MissedTicks.BURST.next(due + shift, 10, now + shift)).isEqualTo(burst + shift);
            assertThat(MissedTicks.DELAY.next(due + shift, 10, now + shift)).isEqualTo(delay + shift);
            assertThat(MissedTicks.SKIP.next(due + shift, 10, now + shift)).isEqualTo(skip + shift);
        }
    }
}
