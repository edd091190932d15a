package io.thrust.backend;

import static io.thrust.backend.Net.PATIENCE;
import static io.thrust.backend.Net.SILENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thrust.poll.Interest;
import io.thrust.poll.Mode;
import io.thrust.poll.PipePair;
import io.thrust.poll.Poller;
import io.thrust.poll.PollerClosedException;
import io.thrust.poll.ReadyEvents;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
public abstract class AbstractPollingTest extends AbstractBackendTest {

    /** Whether an event tells of a hangup, which the contract calls a hint. */
    protected boolean tellsOfHangups() {
        return true;
    }

    @Test
    void allOfMoreReadySourcesThanTheCapacityAreSeenOnce() throws Exception {
        List<PipePair> pipes = new ArrayList<>();
        try (Poller poller = provider().openPoller(16)) {
            for (int i = 0; i < 600; i++) {
                PipePair pipe = provider().pipe();
                pipes.add(pipe);
                poller.register(pipe.reader(), i, Interest.READ, Mode.EDGE);
                Net.write(pipe.writer(), "x");
            }
            BitSet seen = new BitSet();
            ReadyEvents events = poller.events();
            while (poller.poll(0) > 0) {
                assertThat(events.size()).isLessThanOrEqualTo(16);
                for (int i = 0; i < events.size(); i++) {
                    int key = (int) events.key(i);
                    assertThat(seen.get(key)).as("key %s seen before", key).isFalse();
                    seen.set(key);
                }
            }
            assertThat(seen.cardinality()).isEqualTo(600);
        } finally {
            for (PipePair pipe : pipes) {
                pipe.reader().close();
                pipe.writer().close();
            }
        }
    }

    @Test
    void sourcesOfAClosedPollerStayOpenAndWorkInAnother() throws Exception {
        try (Net.Pair pair = net().pair()) {
            Poller first = provider().openPoller(4);
            first.register(pair.server(), 1, Interest.READ, Mode.EDGE);
            first.register(pair.client(), 2, Interest.READ_WRITE, Mode.LEVEL);
            assertThat(first.poll(PATIENCE)).isPositive();
            first.close();
            assertThat(pair.server().isOpen()).isTrue();

            try (Poller second = provider().openPoller(4)) {
                second.register(pair.server(), 3, Interest.NONE, Mode.EDGE);
                second.modify(pair.server(), 3, Interest.READ, Mode.EDGE);
                Net.write(pair.client(), "hello");
                assertThat(second.poll(PATIENCE)).isEqualTo(1);
                assertThat(second.events().key(0)).isEqualTo(3);
                ByteBuffer buffer = ByteBuffer.allocate(16);
                assertThat(pair.server().read(buffer)).isEqualTo(5);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void noInterestIsSilentEvenOnHangup(Mode mode) throws Exception {
        PipePair pipe = provider().pipe();
        try (Poller poller = provider().openPoller(4)) {
            poller.register(pipe.reader(), 1, Interest.NONE, mode);
            pipe.writer().close();
            assertThat(poller.poll(SILENCE)).isZero();

            poller.modify(pipe.reader(), 2, Interest.READ, mode);
            assertThat(poller.poll(PATIENCE)).isEqualTo(1);
            assertThat(poller.events().key(0)).isEqualTo(2);
            assertThat(poller.events().isReadable(0)).isTrue();
            assertThat(poller.events().isHangup(0)).isEqualTo(tellsOfHangups());

            poller.modify(pipe.reader(), 3, Interest.NONE, mode);
            poller.modify(pipe.reader(), 3, Interest.NONE, mode);
            assertThat(poller.poll(SILENCE)).isZero();
            poller.modify(pipe.reader(), 4, Interest.READ, mode);
            assertThat(poller.poll(PATIENCE)).isEqualTo(1);
            assertThat(poller.events().key(0)).isEqualTo(4);
            poller.deregister(pipe.reader());
        } finally {
            pipe.reader().close();
        }
    }

    @Test
    void waitingTakesNoProcessorTimeWithAHangupThatNobodyWatchesEither() throws Exception {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        PipePair pipe = provider().pipe();
        try (Poller poller = provider().openPoller(4)) {
            poller.register(pipe.reader(), 1, Interest.READ, Mode.LEVEL);
            pipe.writer().close();
            assertThat(poller.poll(PATIENCE)).isEqualTo(1);
            poller.modify(pipe.reader(), 1, Interest.NONE, Mode.LEVEL);
            poller.poll(SILENCE);

            long before = threads.getCurrentThreadCpuTime();
            assertThat(poller.poll(4 * SILENCE)).isZero();
            assertThat(threads.getCurrentThreadCpuTime() - before).isLessThan(SILENCE / 3);
        } finally {
            pipe.reader().close();
        }
    }

    /** The kernel takes the timeout in parts, and where it is an argument of a native call, that may be passed wrong. */
    @Test
    void noWaitEndsEarlyHoweverShort() throws Exception {
        try (Poller poller = provider().openPoller(1)) {
            for (long timeout : new long[] {1, 1_000, 100_000, 999_999, 1_000_001, 11_000_001, 3_500_000}) {
                long start = System.nanoTime();
                assertThat(poller.poll(timeout)).isZero();
                assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(timeout);
            }
        }
    }

    @Test
    void waitsBeyondAllClocksAreEndedByAWakeup() throws Exception {
        ExecutorService other = Executors.newSingleThreadExecutor();
        try (Poller poller = provider().openPoller(1)) {
            long[] timeouts = {
                Long.MAX_VALUE, Long.MAX_VALUE - System.nanoTime(), TimeUnit.DAYS.toNanos(365), Poller.FOREVER
            };
            for (long timeout : timeouts) {
                long start = System.nanoTime();
                Future<?> woken = other.submit(() -> {
                    TimeUnit.NANOSECONDS.sleep(SILENCE);
                    poller.wakeup();
                    return null;
                });
                assertThat(poller.poll(timeout)).isZero();
                assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(SILENCE);
                woken.get();
            }
        } finally {
            other.shutdownNow();
        }
    }

    @Test
    void twoHundredThousandHandOversLoseNone() throws Exception {
        int rounds = 200_000;
        AtomicInteger handed = new AtomicInteger();
        AtomicInteger taken = new AtomicInteger();
        try (Poller poller = provider().openPoller(1)) {
            Thread producer = new Thread(() -> {
                for (int i = 1; i <= rounds; i++) {
                    handed.set(i);
                    poller.wakeup();
                    while (taken.get() < i && !Thread.currentThread().isInterrupted()) {
                        Thread.onSpinWait();
                    }
                }
            });
            producer.start();
            try {
                while (taken.get() < rounds) {
                    if (taken.get() == handed.get()) {
                        long start = System.nanoTime();
                        poller.poll(PATIENCE);
                        assertThat(System.nanoTime() - start)
                                .as("wait before hand-over %s", taken.get() + 1)
                                .isLessThan(PATIENCE);
                    }
                    taken.set(handed.get());
                }
            } finally {
                producer.interrupt();
                producer.join();
            }
        }
        assertThat(taken.get()).isEqualTo(rounds);
    }

    @Test
    void closeAndWakeupsFromOtherThreadsEndEveryPollAndLeakNothing() throws Exception {
        provider().openPoller(1).close();
        int before = Net.openDescriptors();
        ExecutorService others = Executors.newFixedThreadPool(2);
        try {
            for (int round = 0; round < 2_000; round++) {
                Poller poller = provider().openPoller(1);
                CountDownLatch go = new CountDownLatch(1);
                Future<?> waker = others.submit(() -> {
                    go.await();
                    for (int i = 0; i < 20; i++) {
                        poller.wakeup();
                    }
                    return null;
                });
                Future<?> closer = others.submit(() -> {
                    go.await();
                    poller.close();
                    return null;
                });
                go.countDown();
                long start = System.nanoTime();
                try {
                    while (true) {
                        assertThat(poller.poll(PATIENCE)).isZero();
                    }
                } catch (PollerClosedException e) {
                    assertThat(System.nanoTime() - start).isLessThan(PATIENCE);
                }
                waker.get();
                closer.get();
            }
        } finally {
            others.shutdownNow();
        }
        assertThat(Net.openDescriptors()).isEqualTo(before);
    }

    @Test
    void interruptNeitherEndsAPollNorIsLost() throws Exception {
        try (Poller poller = provider().openPoller(1)) {
            Thread.currentThread().interrupt();
            long start = System.nanoTime();
            assertThat(poller.poll(SILENCE)).isZero();
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(SILENCE);
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void aCapacityBelowOneIsRefusedBeforeAnythingIsOpened() {
        int before = Net.openDescriptors();
        assertThatThrownBy(() -> provider().openPoller(0)).isInstanceOf(IllegalArgumentException.class);
        assertThat(Net.openDescriptors()).isEqualTo(before);
    }
}
