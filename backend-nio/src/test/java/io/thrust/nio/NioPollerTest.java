package io.thrust.nio;

import static io.thrust.backend.Net.PATIENCE;
import static io.thrust.backend.Net.SILENCE;
import static io.thrust.backend.Net.write;
import static io.thrust.nio.Fixtures.NET;
import static io.thrust.nio.Fixtures.NIO;
import static io.thrust.nio.Fixtures.keys;
import static io.thrust.nio.Fixtures.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thrust.backend.AbstractPollingTest;
import io.thrust.backend.Net;
import io.thrust.backend.Net.Pair;
import io.thrust.poll.Interest;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.Mode;
import io.thrust.poll.PipePair;
import io.thrust.poll.Poller;
import io.thrust.poll.PollerProvider;
import io.thrust.poll.TooManyOpenFilesException;
import java.lang.management.ManagementFactory;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class NioPollerTest extends AbstractPollingTest {
    private final List<PipePair> pipes = new ArrayList<>();

    @Override
    protected PollerProvider provider() {
        return NIO;
    }

    /** The JDK's selector tells readiness alone. */
    @Override
    protected boolean tellsOfHangups() {
        return false;
    }

    @AfterEach
    void closePipes() throws Exception {
        for (PipePair pipe : pipes) {
            pipe.reader().close();
            pipe.writer().close();
        }
    }

    private PipePair pipe() throws Exception {
        PipePair pipe = NIO.pipe();
        pipes.add(pipe);
        return pipe;
    }

    // ---- modes

    @Test
    void edgeReportsUnreadDataOnceAndAgainAfterRearm() throws Exception {
        PipePair pipe = pipe();
        PipePair other = pipe();
        try (Poller poller = NIO.openPoller(8)) {
            poller.register(pipe.reader(), 1, Interest.READ, Mode.EDGE);
            poller.register(other.reader(), 2, Interest.READ, Mode.EDGE);
            write(pipe.writer(), "ab");
            assertThat(poller.poll(PATIENCE)).isEqualTo(1);
            assertThat(keys(poller)).containsExactly(1L);
            assertThat(poller.poll(SILENCE)).isZero();
            write(other.writer(), "x");
            assertThat(poller.poll(PATIENCE)).isEqualTo(1);
            assertThat(keys(poller)).containsExactly(2L);
            poller.rearm(pipe.reader(), Interest.READ);
            assertThat(poller.poll(PATIENCE)).isEqualTo(1);
            assertThat(keys(poller)).containsExactly(1L);
        }
    }

    @Test
    void edgeMasksOneDirectionOnly() throws Exception {
        try (Pair pair = NET.pair();
                Poller poller = NIO.openPoller(8)) {
            poller.register(pair.server(), 1, Interest.READ_WRITE, Mode.EDGE);
            assertThat(poller.poll(PATIENCE)).isEqualTo(1);
            assertThat(poller.events().isReadable(0)).isFalse();
            assertThat(poller.events().isWritable(0)).isTrue();
            assertThat(poller.poll(SILENCE)).isZero();
            write(pair.client(), "a");
            assertThat(poller.poll(PATIENCE)).isEqualTo(1);
            assertThat(poller.events().isReadable(0)).isTrue();
            assertThat(poller.events().isWritable(0)).isFalse();
        }
    }

    @Test
    void aSourceRearmedAfterEachReportKeepsReporting() throws Exception {
        PipePair pipe = pipe();
        try (Poller poller = NIO.openPoller(8)) {
            poller.register(pipe.reader(), 1, Interest.READ, Mode.EDGE);
            for (int i = 0; i < 1000; i++) {
                write(pipe.writer(), "a");
                assertThat(poller.poll(PATIENCE)).isEqualTo(1);
                assertThat(read(pipe.reader())).isEqualTo("a");
                poller.rearm(pipe.reader(), Interest.READ);
                assertThat(poller.poll(0)).isZero();
            }
        }
    }

    @Test
    void oneShotDisarmsBothDirectionsUntilModify() throws Exception {
        try (Pair pair = NET.pair();
                Poller poller = NIO.openPoller(8)) {
            poller.register(pair.server(), 1, Interest.READ_WRITE, Mode.ONE_SHOT);
            assertThat(poller.poll(PATIENCE)).isEqualTo(1);
            write(pair.client(), "a");
            assertThat(poller.poll(SILENCE)).isZero();
            poller.deregister(pair.server());
            NET.await(pair.server());
            poller.register(pair.server(), 1, Interest.READ_WRITE, Mode.ONE_SHOT);
            assertThat(poller.poll(PATIENCE)).isEqualTo(1);
            assertThat(poller.events().isReadable(0)).isTrue();
            assertThat(poller.events().isWritable(0)).isTrue();
            assertThat(poller.poll(SILENCE)).isZero();
            poller.modify(pair.server(), 2, Interest.READ, Mode.ONE_SHOT);
            assertThat(poller.poll(PATIENCE)).isEqualTo(1);
            assertThat(keys(poller)).containsExactly(2L);
        }
    }

    @Test
    void levelReportsUntilDrained() throws Exception {
        PipePair pipe = pipe();
        try (Poller poller = NIO.openPoller(8)) {
            poller.register(pipe.reader(), 1, Interest.READ, Mode.LEVEL);
            write(pipe.writer(), "a");
            for (int i = 0; i < 5; i++) {
                assertThat(poller.poll(PATIENCE)).isEqualTo(1);
            }
            assertThat(read(pipe.reader())).isEqualTo("a");
            assertThat(poller.poll(SILENCE)).isZero();
        }
    }

    // ---- a batch smaller than what is ready

    @ParameterizedTest
    @EnumSource(Mode.class)
    void eachOf600ReadySourcesIsSeenThroughABatchOf16(Mode mode) throws Exception {
        List<PipePair> ready = new ArrayList<>();
        try (Poller poller = NIO.openPoller(16)) {
            for (int i = 0; i < 600; i++) {
                PipePair pipe = pipe();
                ready.add(pipe);
                write(pipe.writer(), "a");
                poller.register(pipe.reader(), i, Interest.READ, mode);
            }
            int[] seen = new int[600];
            for (int poll = 0; poll < 38; poll++) {
                poller.poll(0);
                assertThat(poller.events().size()).isLessThanOrEqualTo(16);
                for (long key : keys(poller)) {
                    seen[(int) key]++;
                    if (mode == Mode.EDGE) {
                        poller.rearm(ready.get((int) key).reader(), Interest.READ);
                    }
                }
            }
            assertThat(seen).doesNotContain(0);
            if (mode == Mode.ONE_SHOT) {
                assertThat(seen).containsOnly(1);
                assertThat(poller.poll(SILENCE)).isZero();
            } else {
                for (int poll = 0; poll < 38 * 9; poll++) {
                    poller.poll(0);
                    for (long key : keys(poller)) {
                        seen[(int) key]++;
                        if (mode == Mode.EDGE) {
                            poller.rearm(ready.get((int) key).reader(), Interest.READ);
                        }
                    }
                }
                for (int count : seen) {
                    assertThat(count).isBetween(9, 11);
                }
            }
        }
    }

    @Test
    void moreThanASelectorFetchesAtOnceIsServedInTurn() throws Exception {
        // Twice what the JDK fetches from epoll, which then finds one half and the other in turn.
        int count = 2048;
        try (Poller poller = NIO.openPoller(50)) {
            for (int i = 0; i < count; i++) {
                PipePair pipe;
                try {
                    pipe = pipe();
                } catch (TooManyOpenFilesException e) {
                    Assumptions.abort(e.getMessage());
                    return;
                }
                write(pipe.writer(), "a");
                poller.register(pipe.reader(), i, Interest.READ, Mode.LEVEL);
            }
            int[] seen = new int[count];
            for (int poll = 0; poll < 3 * count / 50; poll++) {
                poller.poll(0);
                for (long key : keys(poller)) {
                    seen[(int) key]++;
                }
            }
            assertThat(seen).doesNotContain(0);
        }
    }

    @Test
    void aQueuedSourceThatWasDrainedOrDeregisteredIsNotReported() throws Exception {
        try (Poller poller = NIO.openPoller(1)) {
            PipePair first = pipe();
            PipePair second = pipe();
            PipePair third = pipe();
            for (PipePair pipe : List.of(first, second, third)) {
                write(pipe.writer(), "a");
            }
            poller.register(first.reader(), 1, Interest.READ, Mode.LEVEL);
            poller.register(second.reader(), 2, Interest.READ, Mode.LEVEL);
            poller.register(third.reader(), 3, Interest.READ, Mode.LEVEL);
            assertThat(poller.poll(0)).isEqualTo(1);
            long served = keys(poller).get(0);
            List<PipePair> all = List.of(first, second, third);
            int drained = served == 1 ? 1 : 0;
            int gone = served == 3 ? 1 : 2;
            read(all.get(drained).reader());
            poller.deregister(all.get(gone).reader());
            for (int i = 0; i < 4; i++) {
                assertThat(poller.poll(PATIENCE)).isEqualTo(1);
                assertThat(keys(poller)).containsExactly(served);
            }
            read(all.get((int) served - 1).reader());
            assertThat(poller.poll(SILENCE)).isZero();
        }
    }

    @Test
    void aQueuedSourceThatIsRegisteredAnewCostsNobodyTheirTurn() throws Exception {
        try (Poller poller = NIO.openPoller(1)) {
            PipePair moving = pipe();
            write(moving.writer(), "a");
            poller.register(moving.reader(), 0, Interest.READ, Mode.LEVEL);
            for (int i = 1; i < 6; i++) {
                PipePair pipe = pipe();
                write(pipe.writer(), "a");
                poller.register(pipe.reader(), i, Interest.READ, Mode.LEVEL);
            }
            int[] seen = new int[6];
            for (int i = 0; i < 600; i++) {
                assertThat(poller.poll(PATIENCE)).isEqualTo(1);
                seen[keys(poller).get(0).intValue()]++;
                if (i % 4 == 3) {
                    poller.deregister(moving.reader());
                    poller.register(moving.reader(), 0, Interest.READ, Mode.LEVEL);
                }
            }
            for (int i = 1; i < 6; i++) {
                assertThat(seen[i]).isBetween(90, 130);
            }
        }
    }

    // ---- cancelled keys

    @Test
    void deregisterAndRegisterAtOnceAThousandTimes() throws Exception {
        PipePair pipe = pipe();
        PipePair ready = pipe();
        write(ready.writer(), "x");
        try (Poller poller = NIO.openPoller(8)) {
            poller.register(ready.reader(), 7, Interest.READ, Mode.EDGE);
            poller.register(pipe.reader(), 0, Interest.READ, Mode.EDGE);
            for (int i = 1; i <= 1000; i++) {
                poller.deregister(pipe.reader());
                poller.register(pipe.reader(), i, Interest.READ, Mode.EDGE);
            }
            write(pipe.writer(), "a");
            assertThat(poller.poll(PATIENCE)).isEqualTo(2);
            assertThat(keys(poller)).containsExactlyInAnyOrder(7L, 1000L);
        }
    }

    @Test
    void aClosedStreamIsReleasedThoughTheLoopIsIdle() throws Exception {
        try (Pair pair = NET.pair();
                Poller poller = NIO.openPoller(8)) {
            poller.register(pair.server(), 1, Interest.READ, Mode.EDGE);
            poller.poll(0);
            pair.server().close();
            NET.await(pair.client());
            assertThat(pair.client().read(ByteBuffer.allocate(8))).isEqualTo(-1);
            // Not only shut down but gone: what the peer writes is answered with a reset.
            assertThatThrownBy(() -> {
                        long start = System.nanoTime();
                        while (System.nanoTime() - start < PATIENCE) {
                            pair.client().write(ByteBuffer.allocate(1));
                        }
                    })
                    .isInstanceOf(SocketException.class);
        }
    }

    @Test
    void aPortIsFreeAsSoonAsItsRegisteredListenerIsClosed() throws Exception {
        ListenOptions strict = ListenOptions.DEFAULT.withReuseAddress(false);
        try (Poller poller = NIO.openPoller(8)) {
            ListenerSource listener = NIO.listen(Net.loopback(), strict);
            SocketAddress address = listener.localAddress();
            poller.register(listener, 1, Interest.READ, Mode.EDGE);
            poller.poll(0);
            listener.close();
            NIO.listen(address, strict).close();
        }
    }

    @Test
    void aSourceDeregisteredHereIsClosedElsewhereWhileThisLoopWaits() throws Exception {
        try (Pair pair = NET.pair();
                Poller poller = NIO.openPoller(8)) {
            poller.register(pair.server(), 1, Interest.READ, Mode.EDGE);
            poller.poll(0);
            poller.deregister(pair.server());
            CountDownLatch closed = new CountDownLatch(1);
            Thread closer = new Thread(() -> {
                try {
                    pair.server().close();
                    NET.await(pair.client());
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
                closed.countDown();
                poller.wakeup();
            });
            closer.start();
            poller.poll(PATIENCE);
            assertThat(closed.await(0, TimeUnit.SECONDS)).isTrue();
            closer.join();
        }
    }

    // ---- channels closed elsewhere

    @Test
    void aChannelClosedElsewhereIsRefusedByModifyAndReportedAfterRearm() throws Exception {
        java.nio.channels.Pipe pipe = java.nio.channels.Pipe.open();
        pipe.source().configureBlocking(false);
        PipePair other = pipe();
        try (Poller poller = NIO.openPoller(8);
                io.thrust.poll.Source source = NIO.adopt(pipe.source())) {
            poller.register(source, 1, Interest.READ, Mode.EDGE);
            poller.register(other.reader(), 2, Interest.READ, Mode.EDGE);
            pipe.source().close();
            assertThatThrownBy(() -> poller.modify(source, 1, Interest.READ, Mode.EDGE))
                    .isInstanceOf(io.thrust.poll.SourceClosedException.class)
                    .hasMessageContaining("closed elsewhere");
            poller.rearm(source, Interest.READ);
            write(other.writer(), "a");
            assertThat(poller.poll(PATIENCE)).isEqualTo(2);
            assertThat(keys(poller)).containsExactlyInAnyOrder(1L, 2L);
            assertThat(poller.poll(SILENCE)).isZero();
            poller.deregister(source);
        } finally {
            pipe.sink().close();
        }
    }

    // ---- timeouts

    @Test
    void timeoutsAreRoundedUpAndCappedAndZeroDoesNotWait() throws Exception {
        FaultySelector selector = new FaultySelector();
        try (Poller poller = new NioPoller(NIO, 1, () -> selector)) {
            poller.poll(0);
            assertThat(selector.timeouts).isEmpty();
            poller.poll(900_000);
            assertThat(selector.timeouts.get(0)).isEqualTo(1);
            selector.timeouts.clear();
            poller.poll(3_000_000);
            assertThat(selector.timeouts.get(0)).isEqualTo(3);
            selector.timeouts.clear();
            poller.poll(3_000_001);
            assertThat(selector.timeouts.get(0)).isEqualTo(4);
            selector.timeouts.clear();
            Thread waker = new Thread(() -> {
                while (selector.timeouts.isEmpty()) {
                    Thread.onSpinWait();
                }
                poller.wakeup();
            });
            waker.start();
            poller.poll(Long.MAX_VALUE);
            waker.join();
            assertThat(selector.timeouts.get(0)).isEqualTo(TimeUnit.DAYS.toMillis(1));
        }
    }

    // ---- interrupts

    @Test
    void anInterruptNeitherEndsAPollNorSpinsNorIsLost() throws Exception {
        FaultySelector selector = new FaultySelector();
        try (Poller poller = new NioPoller(NIO, 1, () -> selector)) {
            Thread owner = Thread.currentThread();
            Thread interrupter = new Thread(() -> {
                while (selector.blockingSelects == 0) {
                    Thread.onSpinWait();
                }
                owner.interrupt();
            });
            interrupter.start();
            long start = System.nanoTime();
            assertThat(poller.poll(150_000_000)).isZero();
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(150_000_000);
            interrupter.join();
            assertThat(selector.blockingSelects).isBetween(2, 6);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
            // And with the status set from the start.
            int before = selector.blockingSelects;
            assertThat(poller.poll(50_000_000)).isZero();
            assertThat(selector.blockingSelects - before).isBetween(1, 4);
            assertThat(Thread.interrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
    }

    @Test
    void operationsOfAnInterruptedThreadSucceedAndKeepTheStatus() throws Exception {
        PipePair pipe = pipe();
        Thread.currentThread().interrupt();
        try (ListenerSource listener = NET.listen();
                Poller poller = NIO.openPoller(8);
                Pair pair = NET.pair(listener)) {
            write(pair.client(), "hello");
            NET.await(pair.server());
            assertThat(read(pair.server())).isEqualTo("hello");
            assertThat(pair.server().read(ByteBuffer.allocateDirect(8))).isEqualTo(-2);
            write(pipe.writer(), "x");
            poller.register(pipe.reader(), 1, Interest.READ, Mode.EDGE);
            assertThat(poller.poll(PATIENCE)).isEqualTo(1);
            assertThat(read(pipe.reader())).isEqualTo("x");
            pair.client().shutdownOutput();
            pair.server().write(new ByteBuffer[] {ByteBuffer.allocate(3), ByteBuffer.allocateDirect(3)}, 0, 2);
            assertThat(listener.accept()).isNull();
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    // ---- cost

    @Test
    void aPollAllocatesNothing() throws Exception {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        PipePair pipe = pipe();
        ByteBuffer out = ByteBuffer.allocateDirect(1);
        ByteBuffer in = ByteBuffer.allocateDirect(8);
        try (Poller poller = NIO.openPoller(8)) {
            poller.register(pipe.reader(), 1, Interest.READ, Mode.EDGE);
            long before = 0;
            int rounds = 20_000;
            for (int i = -rounds; i < rounds; i++) {
                if (i == 0) {
                    before = threads.getThreadAllocatedBytes(self);
                }
                out.clear();
                in.clear();
                pipe.writer().write(out);
                if (poller.poll(PATIENCE) != 1 || pipe.reader().read(in) != 1) {
                    throw new AssertionError("no event in round " + i);
                }
                poller.rearm(pipe.reader(), Interest.READ);
            }
            double perRound = (threads.getThreadAllocatedBytes(self) - before) / (double) rounds;
            // The JDK's selector looks a descriptor above 127 up by a boxed Integer.
            assertThat(perRound).as("bytes per poll").isLessThan(20);
        }
    }

    // ---- closing

    @Test
    void pollersAndSourcesLeaveNoDescriptorBehind() throws Exception {
        Assumptions.assumeTrue(Net.openDescriptors() >= 0);
        int before = 0;
        for (int i = -20; i < 300; i++) {
            if (i == 0) {
                before = Net.openDescriptors();
            }
            try (Poller poller = NIO.openPoller(4);
                    Pair pair = NET.pair()) {
                poller.register(pair.server(), 1, Interest.READ, Mode.EDGE);
                poller.poll(0);
            }
        }
        assertThat(Net.openDescriptors()).isEqualTo(before);
    }
}
