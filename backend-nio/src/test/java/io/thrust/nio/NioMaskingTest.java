package io.thrust.nio;

import static io.thrust.backend.Net.PATIENCE;
import static io.thrust.backend.Net.SILENCE;
import static io.thrust.backend.Net.write;
import static io.thrust.nio.Fixtures.NET;
import static io.thrust.nio.Fixtures.NIO;
import static io.thrust.nio.Fixtures.keys;
import static io.thrust.nio.Fixtures.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.thrust.backend.Net.Pair;
import io.thrust.poll.Interest;
import io.thrust.poll.Mode;
import io.thrust.poll.Poller;
import io.thrust.poll.Source;
import java.nio.channels.SelectionKey;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When the interest of a key is taken back: no sooner than a wait would be ended by it, as each change is a system call. */
@Timeout(60)
class NioMaskingTest {
    private Pair pair;
    private Poller poller;

    @BeforeEach
    void open() throws Exception {
        pair = NET.pair();
        poller = NIO.openPoller(8);
    }

    @AfterEach
    void close() throws Exception {
        poller.close();
        pair.close();
    }

    private static int interestOps(Source source) {
        return Objects.requireNonNull(((NioSource) source).key).interestOps();
    }

    private void reportOne(Mode mode) throws Exception {
        poller.register(pair.server(), 1, Interest.READ, mode);
        write(pair.client(), "a");
        assertThat(poller.poll(PATIENCE)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"EDGE", "ONE_SHOT"})
    void lookingWithoutWaitingTellsItNoMoreAndChangesNoKey(Mode mode) throws Exception {
        reportOne(mode);

        for (int i = 0; i < 3; i++) {
            assertThat(poller.poll(0)).isZero();
            assertThat(interestOps(pair.server())).isEqualTo(SelectionKey.OP_READ);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"EDGE", "ONE_SHOT"})
    void aWaitIsNotEndedByWhatWasReported(Mode mode) throws Exception {
        reportOne(mode);
        long start = System.nanoTime();

        assertThat(poller.poll(SILENCE)).isZero();

        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(SILENCE);
        assertThat(interestOps(pair.server())).isZero();
    }

    @Test
    void whatIsRearmedBeforeTheNextWaitKeepsItsKey() throws Exception {
        reportOne(Mode.EDGE);
        assertThat(poller.poll(0)).isZero();
        assertThat(read(pair.server())).isEqualTo("a");
        poller.rearm(pair.server(), Interest.READ);

        assertThat(poller.poll(SILENCE)).isZero();
        assertThat(interestOps(pair.server())).isEqualTo(SelectionKey.OP_READ);

        write(pair.client(), "b");
        assertThat(poller.poll(PATIENCE)).isEqualTo(1);
    }

    @Test
    void whatIsFoundForNothingAgainAndAgainIsMasked() throws Exception {
        reportOne(Mode.EDGE);
        int looks = 0;
        while (interestOps(pair.server()) != 0) {
            assertThat(poller.poll(0)).isZero();
            assertThat(++looks).isLessThan(100);
        }

        poller.rearm(pair.server(), Interest.READ);
        assertThat(poller.poll(0)).isEqualTo(1);
        assertThat(poller.poll(0)).isZero();
        assertThat(interestOps(pair.server())).isEqualTo(SelectionKey.OP_READ);
    }

    @Test
    void oneDirectionIsToldWhileTheOtherIsStillToBeMasked() throws Exception {
        poller.register(pair.server(), 1, Interest.READ_WRITE, Mode.EDGE);
        assertThat(poller.poll(PATIENCE)).isEqualTo(1);
        assertThat(poller.events().isWritable(0)).isTrue();

        write(pair.client(), "a");
        int told;
        long start = System.nanoTime();
        while ((told = poller.poll(0)) == 0) {
            assertThat(System.nanoTime() - start).isLessThan(PATIENCE);
        }

        assertThat(told).isEqualTo(1);
        assertThat(poller.events().isReadable(0)).isTrue();
        assertThat(poller.events().isWritable(0)).isFalse();
    }

    @Test
    void aSourceThatLeavesWhileItsKeyIsToBeMaskedLeavesTheOthersToBeMasked() throws Exception {
        try (Pair second = NET.pair();
                Pair third = NET.pair()) {
            reportOne(Mode.EDGE);
            poller.register(second.server(), 2, Interest.READ, Mode.EDGE);
            poller.register(third.server(), 3, Interest.READ, Mode.EDGE);
            write(second.client(), "b");
            write(third.client(), "c");
            Set<Long> reported = new HashSet<>();
            while (reported.size() < 2) {
                assertThat(poller.poll(PATIENCE)).isPositive();
                reported.addAll(keys(poller));
            }
            assertThat(reported).containsExactlyInAnyOrder(2L, 3L);

            poller.deregister(pair.server());
            assertThat(poller.poll(SILENCE)).isZero();
            assertThat(interestOps(second.server())).isZero();
            assertThat(interestOps(third.server())).isZero();

            poller.rearm(third.server(), Interest.READ);
            assertThat(poller.poll(PATIENCE)).isEqualTo(1);
            assertThat(keys(poller)).containsExactly(3L);
        }
    }
}
