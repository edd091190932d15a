package io.thrust.kqueue;

import static io.thrust.kqueue.Net.PATIENCE;
import static io.thrust.kqueue.Net.SILENCE;
import static io.thrust.kqueue.Net.provider;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thrust.poll.Interest;
import io.thrust.poll.Mode;
import io.thrust.poll.PipePair;
import io.thrust.poll.Poller;
import io.thrust.poll.PollerClosedException;
import io.thrust.poll.ReadyEvents;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class KqueuePollerTest {
    /** Before a test that expects exceptions: being skipped is one too. */
    @BeforeEach
    void thereIsAFixture() {
        provider();
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
        try (Net.Pair pair = Net.pair()) {
            Poller first = provider().openPoller(4);
            first.register(pair.server(), 1, Interest.READ, Mode.EDGE);
            first.register(pair.client(), 2, Interest.READ_WRITE, Mode.LEVEL);
            assertThat(first.poll(PATIENCE)).isPositive();
            first.close();
            assertThat(pair.server().isOpen()).isTrue();

            try (Poller second = provider().openPoller(4)) {
                second.register(pair.server(), 3, Interest.READ, Mode.EDGE);
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
            assertThat(poller.events().isHangup(0)).isTrue();

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

    /** The timeout is the sixth argument: the one that jnr-ffi can pass wrong. */
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

    /** Native memory is invisible to the collector: without free it would stay for ever. */
    @Test
    void memoryAndDescriptorsAreFlatOverManyPollersAndPolls() throws Exception {
        openPollAndClose(500);
        long memoryBefore = addressSpaceKilobytes();
        int before = Net.openDescriptors();
        openPollAndClose(5_000);
        assertThat(Net.openDescriptors()).isEqualTo(before);
        // The list of events of each poller has 512 KB. The heap has its addresses from the start.
        assertThat(addressSpaceKilobytes() - memoryBefore).isLessThan(5_000 * 512 / 4);
    }

    private static void openPollAndClose(int pollers) throws IOException {
        for (int i = 0; i < pollers; i++) {
            try (Poller poller = provider().openPoller(1 << 14)) {
                for (int j = 0; j < 20; j++) {
                    assertThat(poller.poll(0)).isZero();
                }
            }
        }
    }

    private static long addressSpaceKilobytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmSize:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }

    /** So are the filters of a source that comes and goes. */
    @Test
    void tokensOfPastRegistrationsFindNothing() throws Exception {
        PipePair pipe = provider().pipe();
        SourceTable table = new SourceTable();
        List<KqueueSource> sources = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            KqueueSource source = (KqueueSource) provider().adopt(i);
            sources.add(source);
            table.add(source);
            assertThat(source.token).isNotZero();
        }
        long past = sources.get(42).token;
        table.remove(sources.get(42));
        assertThat(table.get(past)).isNull();
        table.add((KqueueSource) pipe.reader());
        assertThat(((KqueueSource) pipe.reader()).token).isNotEqualTo(past);
        assertThat(table.get(past)).isNull();
        assertThat(table.get(((KqueueSource) pipe.reader()).token)).isSameAs(pipe.reader());
        assertThat(table.get(0)).isNull();
        assertThat(table.get(-1)).isNull();
        assertThat(table.get(sources.get(99).token)).isSameAs(sources.get(99));
        pipe.reader().close();
        pipe.writer().close();
    }

    @Test
    void eachLayoutWaitsAndWakes() throws Exception {
        for (int layout : Fixture.LAYOUTS) {
            ExecutorService other = Executors.newSingleThreadExecutor();
            try (Poller poller = Net.provider(layout).openPoller(1)) {
                long start = System.nanoTime();
                assertThat(poller.poll(SILENCE)).isZero();
                assertThat(System.nanoTime() - start).isBetween(SILENCE, PATIENCE);
                Future<?> woken = other.submit(poller::wakeup);
                assertThat(poller.poll(Poller.FOREVER)).isZero();
                woken.get();
            } finally {
                other.shutdownNow();
            }
        }
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
