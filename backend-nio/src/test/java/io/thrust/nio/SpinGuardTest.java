package io.thrust.nio;

import static io.thrust.backend.Net.PATIENCE;
import static io.thrust.backend.Net.write;
import static io.thrust.nio.Fixtures.NIO;
import static io.thrust.nio.Fixtures.keys;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thrust.poll.Interest;
import io.thrust.poll.Mode;
import io.thrust.poll.PipePair;
import io.thrust.poll.Poller;
import java.io.IOException;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A selector that misbehaves: it is replaced, a few times at most, and nothing that was registered is lost. */
@Timeout(60)
class SpinGuardTest {
    private static final Logger LOGGER = Logger.getLogger("io.thrust.nio");

    private final List<String> logged = new ArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord event) {
            logged.add(event.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    private final List<FaultySelector> opened = new ArrayList<>();
    private boolean allSpin;

    @BeforeEach
    void listenToTheLog() {
        LOGGER.setUseParentHandlers(false);
        LOGGER.addHandler(handler);
    }

    @AfterEach
    void leaveTheLog() {
        LOGGER.removeHandler(handler);
        LOGGER.setUseParentHandlers(true);
    }

    private NioPoller poller() throws IOException {
        return new NioPoller(NIO, 8, () -> {
            FaultySelector selector = new FaultySelector();
            selector.emptyReturns = allSpin ? -1 : 0;
            opened.add(selector);
            return selector;
        });
    }

    @Test
    void aSpinningSelectorIsReplacedAndRegistrationsSurvive() throws Exception {
        PipePair edge = NIO.pipe();
        PipePair level = NIO.pipe();
        PipePair masked = NIO.pipe();
        PipePair oneShot = NIO.pipe();
        try (Poller poller = poller()) {
            poller.register(masked.reader(), 1, Interest.READ, Mode.EDGE);
            poller.register(oneShot.reader(), 2, Interest.READ, Mode.ONE_SHOT);
            write(masked.writer(), "x");
            write(oneShot.writer(), "x");
            assertThat(poller.poll(PATIENCE)).isEqualTo(2);
            poller.register(edge.reader(), 3, Interest.READ, Mode.EDGE);
            poller.register(level.reader(), 4, Interest.READ, Mode.LEVEL);
            assertThat(poller.poll(0)).isZero();

            FaultySelector broken = opened.get(0);
            int before = broken.selects;
            broken.emptyReturns = -1;
            write(edge.writer(), "x");
            write(level.writer(), "x");
            assertThat(poller.poll(PATIENCE)).isEqualTo(2);
            assertThat(keys(poller)).containsExactlyInAnyOrder(3L, 4L);
            assertThat(broken.selects - before).isEqualTo(SpinGuard.LIMIT);
            assertThat(opened).hasSize(2);
            assertThat(broken.isOpen()).isFalse();
            assertThat(logged).hasSize(1);

            assertThat(poller.poll(0)).isEqualTo(1);
            assertThat(keys(poller)).containsExactly(4L);
            poller.rearm(masked.reader(), Interest.READ);
            poller.modify(oneShot.reader(), 5, Interest.READ, Mode.ONE_SHOT);
            assertThat(poller.poll(0)).isEqualTo(3);
            assertThat(keys(poller)).containsExactlyInAnyOrder(1L, 4L, 5L);
        }
        close(edge, level, masked, oneShot);
    }

    @Test
    void wakeupsReachTheNewSelector() throws Exception {
        try (Poller poller = poller()) {
            opened.get(0).emptyReturns = -1;
            Thread waker = new Thread(() -> {
                while (opened.size() < 2 || opened.get(1).blockingSelects == 0) {
                    Thread.onSpinWait();
                }
                poller.wakeup();
            });
            waker.start();
            assertThat(poller.poll(PATIENCE)).isZero();
            waker.join();
            assertThat(opened.get(1).blockingSelects).isPositive();
        }
    }

    @Test
    void replacingThatDoesNotHelpIsNotRepeatedForEverAndLoggedOnce() throws Exception {
        allSpin = true;
        PipePair pipe = NIO.pipe();
        try (Poller poller = poller()) {
            poller.register(pipe.reader(), 1, Interest.READ, Mode.EDGE);
            assertThat(poller.poll(200_000_000)).isZero();
            assertThat(opened).hasSize(2);
            // At most one select in a millisecond once the stretch is long.
            assertThat(opened.get(1).selects).isLessThan(SpinGuard.LIMIT + 201);
            for (int stretch = 0; stretch < 3 * SpinGuard.MAX_REBUILDS; stretch++) {
                FaultySelector present = opened.get(opened.size() - 1);
                present.emptyReturns = 0;
                write(pipe.writer(), "x");
                assertThat(poller.poll(PATIENCE)).isEqualTo(1);
                Fixtures.read(pipe.reader());
                poller.rearm(pipe.reader(), Interest.READ);
                present.emptyReturns = -1;
                assertThat(poller.poll(20_000_000)).isZero();
            }
            assertThat(opened).hasSizeLessThanOrEqualTo(1 + SpinGuard.MAX_REBUILDS);
            assertThat(opened).hasSizeGreaterThan(2);
            assertThat(logged).hasSize(1);
        }
        close(pipe);
    }

    @Test
    void aLogThatFailsEndsNoPoll() throws Exception {
        allSpin = true;
        LOGGER.setFilter(record -> {
            throw new NoClassDefFoundError("as where a log may open no file");
        });
        PipePair pipe = NIO.pipe();
        try (Poller poller = poller()) {
            poller.register(pipe.reader(), 1, Interest.READ, Mode.EDGE);
            for (int stretch = 0; stretch <= SpinGuard.MAX_REBUILDS; stretch++) {
                opened.get(opened.size() - 1).emptyReturns = -1;
                assertThat(poller.poll(20_000_000)).isZero();
                opened.get(opened.size() - 1).emptyReturns = 0;
                write(pipe.writer(), "x");
                assertThat(poller.poll(PATIENCE)).isEqualTo(1);
                Fixtures.read(pipe.reader());
                poller.rearm(pipe.reader(), Interest.READ);
            }
        } finally {
            LOGGER.setFilter(null);
        }
        close(pipe);
    }

    @Test
    void wakeupsAreNotTakenForAFault() throws Exception {
        try (Poller poller = poller()) {
            for (int i = 0; i < 3 * SpinGuard.LIMIT; i++) {
                int before = opened.get(0).blockingSelects;
                Thread waker = new Thread(() -> {
                    while (opened.get(0).blockingSelects == before) {
                        Thread.onSpinWait();
                    }
                    poller.wakeup();
                });
                waker.start();
                assertThat(poller.poll(Poller.FOREVER)).isZero();
                waker.join();
            }
            assertThat(opened).hasSize(1);
            assertThat(logged).isEmpty();
        }
    }

    @Test
    void interruptsAreNotTakenForAFault() throws Exception {
        try (Poller poller = poller()) {
            Thread owner = Thread.currentThread();
            FaultySelector selector = opened.get(0);
            Thread interrupter = new Thread(() -> {
                for (int i = 0; i < 3 * SpinGuard.LIMIT; i++) {
                    int before = selector.blockingSelects;
                    owner.interrupt();
                    while (selector.blockingSelects == before) {
                        Thread.onSpinWait();
                    }
                }
                poller.wakeup();
            });
            interrupter.start();
            assertThat(poller.poll(Poller.FOREVER)).isZero();
            while (interrupter.isAlive()) {
                Thread.onSpinWait();
            }
            assertThat(opened).hasSize(1);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void theSecondReturnThatAnInterruptMayCauseIsNotTakenForAFault() throws Exception {
        try (Poller poller = poller()) {
            FaultySelector selector = opened.get(0);
            selector.emptyReturnsAreInterrupts = true;
            selector.afterEmptyReturns = poller::wakeup;
            selector.emptyReturns = 4 * SpinGuard.LIMIT;
            assertThat(poller.poll(PATIENCE)).isZero();
            assertThat(selector.emptyReturns).isZero();
            assertThat(opened).hasSize(1);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void aSelectThatFailsOnceIsRepeated() throws Exception {
        PipePair pipe = NIO.pipe();
        try (Poller poller = poller()) {
            poller.register(pipe.reader(), 1, Interest.READ, Mode.EDGE);
            write(pipe.writer(), "x");
            opened.get(0).failures = 1;
            assertThat(poller.poll(PATIENCE)).isEqualTo(1);
            assertThat(opened).hasSize(1);
        }
        close(pipe);
    }

    @Test
    void aSelectThatFailsTwiceHasTheSelectorReplaced() throws Exception {
        PipePair pipe = NIO.pipe();
        try (Poller poller = poller()) {
            poller.register(pipe.reader(), 1, Interest.READ, Mode.EDGE);
            write(pipe.writer(), "x");
            opened.get(0).failures = Integer.MAX_VALUE;
            assertThat(poller.poll(PATIENCE)).isEqualTo(1);
            assertThat(opened).hasSize(2);
            assertThat(logged).hasSize(1);
        }
        close(pipe);
    }

    @Test
    void aChannelThatCannotMoveToTheNewSelectorIsReportedAndTheOthersLiveOn() throws Exception {
        java.nio.channels.Pipe own = java.nio.channels.Pipe.open();
        own.source().configureBlocking(false);
        PipePair pipe = NIO.pipe();
        try (Poller poller = poller();
                io.thrust.poll.Source source = NIO.adopt(own.source())) {
            poller.register(source, 1, Interest.READ, Mode.EDGE);
            poller.register(pipe.reader(), 2, Interest.READ, Mode.EDGE);
            assertThat(poller.poll(0)).isZero();
            own.source().close();
            opened.get(0).failures = Integer.MAX_VALUE;
            assertThat(poller.poll(PATIENCE)).isEqualTo(1);
            assertThat(keys(poller)).containsExactly(1L);
            assertThat(poller.events().isHangup(0)).isTrue();
            write(pipe.writer(), "x");
            assertThat(poller.poll(PATIENCE)).isEqualTo(1);
            assertThat(keys(poller)).containsExactly(2L);
        }
        own.sink().close();
        close(pipe);
    }

    @Test
    void aSystemThatKeepsFailingIsReportedToTheCallerAndThePollerStaysUsable() throws Exception {
        try (Poller poller = new NioPoller(NIO, 1, () -> {
            FaultySelector selector = new FaultySelector();
            selector.failures = opened.size() < 2 ? 2 : 0;
            opened.add(selector);
            return selector;
        })) {
            assertThatThrownBy(() -> poller.poll(PATIENCE))
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("the selector is broken");
            poller.wakeup();
            assertThat(poller.poll(PATIENCE)).isZero();
        }
    }

    @Test
    void deregisterSurvivesASelectorThatFailsOnce() throws Exception {
        PipePair pipe = NIO.pipe();
        try (Poller poller = poller()) {
            poller.register(pipe.reader(), 1, Interest.READ, Mode.EDGE);
            opened.get(0).failures = 1;
            poller.deregister(pipe.reader());
            write(pipe.writer(), "x");
            poller.register(pipe.reader(), 2, Interest.READ, Mode.EDGE);
            assertThat(poller.poll(PATIENCE)).isEqualTo(1);
        }
        close(pipe);
    }

    private static void close(PipePair... pipes) throws IOException {
        for (PipePair pipe : pipes) {
            pipe.reader().close();
            pipe.writer().close();
        }
    }
}
