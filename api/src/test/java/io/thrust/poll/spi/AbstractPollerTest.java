package io.thrust.poll.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.thrust.poll.AlreadyRegisteredException;
import io.thrust.poll.ForeignSourceException;
import io.thrust.poll.Interest;
import io.thrust.poll.Mode;
import io.thrust.poll.NotRegisteredException;
import io.thrust.poll.Poller;
import io.thrust.poll.PollerClosedException;
import io.thrust.poll.PollerOwnershipException;
import io.thrust.poll.ReadyEvents;
import io.thrust.poll.SourceClosedException;
import io.thrust.poll.UnsupportedModeException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every backend inherits: table, ownership, wake-ups, the deadline, blanking, closing. */
@Timeout(120)
class AbstractPollerTest {
    private final FakeProvider provider = new FakeProvider();
    private final FakePoller poller = provider.openPoller(4);
    private final FakeSource a = new FakeSource(provider, "a");
    private final FakeSource b = new FakeSource(provider, "b");

    @AfterEach
    void noTwoThreadsWereInTheBackendNorOneAfterItsEnd() throws IOException {
        poller.close();
        assertThat(poller.broken).isFalse();
    }

    // ---- registrations

    @Test
    void aSecondRegistrationIsRefusedAndTheFirstStays() throws IOException {
        poller.register(a, 1, Interest.READ, Mode.EDGE);

        assertThatThrownBy(() -> poller.register(a, 2, Interest.WRITE, Mode.LEVEL))
                .isInstanceOf(AlreadyRegisteredException.class)
                .hasMessageContaining("a is registered with this poller")
                .hasMessageContaining("modify");

        poller.ready(a, true, true, false);
        assertThat(poller.poll(0)).isEqualTo(1);
        assertThat(poller.events().key(0)).isEqualTo(1);
        assertThat(poller.events().isWritable(0)).isFalse();
        assertThat(poller.calls).containsExactly("register a", "poll");
    }

    @Test
    void aSourceBelongsToOnePollerAtATimeWhichTheErrorNames() throws IOException {
        try (FakePoller other = new FakePoller(provider, 1)) {
            other.register(a, 1, Interest.READ, Mode.EDGE);

            assertThatThrownBy(() -> poller.register(a, 1, Interest.READ, Mode.EDGE))
                    .isInstanceOf(AlreadyRegisteredException.class)
                    .hasMessageContaining(other.toString());
            assertThatThrownBy(() -> poller.modify(a, 1, Interest.READ, Mode.EDGE))
                    .isInstanceOf(NotRegisteredException.class)
                    .hasMessageContaining(other.toString());
        }
        poller.register(a, 1, Interest.READ, Mode.EDGE);
    }

    @Test
    void twoSourcesOverOneDescriptorCannotBothBeRegistered() throws IOException {
        a.identity = b.identity = 17;
        poller.register(a, 1, Interest.READ, Mode.EDGE);

        assertThatThrownBy(() -> poller.register(b, 2, Interest.READ, Mode.EDGE))
                .isInstanceOf(AlreadyRegisteredException.class)
                .hasMessageContaining("the same to the system as a");

        poller.deregister(a);
        poller.register(b, 2, Interest.READ, Mode.EDGE);
    }

    @Test
    void whatIsNotRegisteredCannotBeChanged() throws IOException {
        List<Callable<?>> calls = List.of(
                () -> {
                    poller.modify(a, 1, Interest.READ, Mode.EDGE);
                    return null;
                },
                () -> {
                    poller.rearm(a, Interest.READ);
                    return null;
                },
                () -> {
                    poller.deregister(a);
                    return null;
                });

        assertThat(calls)
                .allSatisfy(call -> assertThatThrownBy(call::call)
                        .isInstanceOf(NotRegisteredException.class)
                        .hasMessageContaining("a is not registered with " + poller));
        poller.register(a, 1, Interest.READ, Mode.EDGE);
        poller.deregister(a);
        assertThatThrownBy(() -> poller.deregister(a)).isInstanceOf(NotRegisteredException.class);
    }

    @Test
    void foreignClosedAndUnfitSourcesAreRefused() throws IOException {
        FakeSource closed = new FakeSource(provider, "closed");
        closed.close();
        FakeSource listener = new FakeSource(provider, "listener");
        listener.directions = Interest.READ;

        assertThatThrownBy(() -> poller.register(closed, 1, Interest.READ, Mode.EDGE))
                .isInstanceOf(SourceClosedException.class)
                .hasMessageContaining("closed is closed");
        assertThatThrownBy(() -> poller.register(listener, 1, Interest.READ_WRITE, Mode.EDGE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("READ_WRITE");
        provider.modes.remove(Mode.ONE_SHOT);
        assertThatThrownBy(() -> poller.register(a, 1, Interest.READ, Mode.ONE_SHOT))
                .isInstanceOf(UnsupportedModeException.class)
                .hasMessageContaining("ONE_SHOT")
                .hasMessageContaining("EDGE, LEVEL");
        assertThatThrownBy(
                        () -> poller.register(new Stranger(new FakeProvider("stranger")), 1, Interest.READ, Mode.EDGE))
                .isInstanceOf(ForeignSourceException.class)
                .hasMessageContaining("\"stranger\"")
                .hasMessageContaining("\"fake\"");
        assertThat(poller.calls).isEmpty();
    }

    private static final class Stranger extends AbstractSource {
        Stranger(FakeProvider provider) {
            super(provider);
        }

        @Override
        protected Object identity() {
            return this;
        }

        @Override
        protected void release() {}

        @Override
        public Interest directions() {
            return Interest.READ;
        }
    }

    @Test
    void aRegistrationThatTheSystemRefusesLeavesNothingBehind() throws IOException {
        IOException refused = new IOException("no space");
        poller.onCall = () -> {
            throw refused;
        };
        assertThatThrownBy(() -> poller.register(a, 1, Interest.READ, Mode.EDGE))
                .isSameAs(refused);

        poller.onCall = () -> {};
        assertThatThrownBy(() -> poller.deregister(a)).isInstanceOf(NotRegisteredException.class);
        poller.register(a, 2, Interest.READ, Mode.EDGE);
        poller.ready(a, true, false, false);
        poller.poll(0);
        assertThat(poller.events().key(0)).isEqualTo(2);
    }

    @Test
    void aModifyThatTheSystemRefusesChangesNothing() throws IOException {
        poller.register(a, 1, Interest.READ, Mode.EDGE);
        poller.onCall = () -> {
            throw new IOException("refused");
        };
        assertThatThrownBy(() -> poller.modify(a, 2, Interest.WRITE, Mode.LEVEL))
                .hasMessage("refused");
        poller.onCall = () -> {};

        poller.ready(a, true, true, false);
        poller.poll(0);
        assertThat(poller.events().key(0)).isEqualTo(1);
        assertThat(poller.events().isReadable(0)).isTrue();
        assertThat(poller.events().isWritable(0)).isFalse();
        assertThat(a.registeredMode()).isEqualTo(Mode.EDGE);
    }

    @Test
    void aDeregistrationThatFailsDeregistersNevertheless() throws IOException {
        poller.register(a, 1, Interest.READ, Mode.EDGE);
        poller.onCall = () -> {
            throw new IOException("failed");
        };
        assertThatThrownBy(() -> poller.deregister(a)).hasMessage("failed");
        poller.onCall = () -> {};

        poller.register(a, 1, Interest.READ, Mode.EDGE);
    }

    @Test
    void closingASourceDeregistersItFirstAndReleasesItOnce() throws IOException {
        poller.register(a, 1, Interest.READ, Mode.EDGE);
        a.onRelease = () -> {
            assertThat(poller.calls).endsWith("deregister a");
            return null;
        };

        a.close();
        a.close();

        assertThat(a.releases).isEqualTo(1);
        assertThat(a.isOpen()).isFalse();
    }

    @Test
    void aSourceWhoseDeregistrationFailsIsReleasedNevertheless() throws IOException {
        poller.register(a, 1, Interest.READ, Mode.EDGE);
        poller.onCall = () -> {
            throw new IOException("deregistration");
        };
        a.onRelease = () -> {
            throw new IOException("release");
        };

        assertThatThrownBy(a::close)
                .hasMessage("release")
                .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessage("deregistration"));
        assertThat(a.releases).isEqualTo(1);
    }

    @Test
    void rearmIsForEdgeOnlyAndForWatchedDirections() throws IOException {
        poller.register(a, 1, Interest.READ, Mode.EDGE);
        poller.rearm(a, Interest.READ);
        poller.rearm(a, Interest.NONE);
        assertThat(poller.calls).containsExactly("register a", "rearm a READ");

        assertThatThrownBy(() -> poller.rearm(a, Interest.WRITE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("WRITE");
        poller.modify(a, 1, Interest.READ, Mode.LEVEL);
        poller.rearm(a, Interest.READ);
        poller.modify(a, 1, Interest.READ, Mode.ONE_SHOT);
        assertThatThrownBy(() -> poller.rearm(a, Interest.READ))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("modify");
        assertThat(poller.calls.stream().filter(call -> call.startsWith("rearm")))
                .hasSize(1);
    }

    // ---- the batch

    @Test
    void reportsOfOneSourceInOnePollMergeToOneEntry() throws IOException {
        poller.register(a, 1, Interest.READ_WRITE, Mode.EDGE);
        poller.register(b, 2, Interest.READ_WRITE, Mode.EDGE);
        poller.ready(a, true, false, false);
        poller.ready(b, false, true, false);
        poller.ready(a, false, true, true);

        assertThat(poller.poll(0)).isEqualTo(2);

        ReadyEvents events = poller.events();
        assertThat(events.key(0)).isEqualTo(1);
        assertThat(List.of(events.isReadable(0), events.isWritable(0), events.isHangup(0)))
                .containsExactly(true, true, true);
        assertThat(List.of(events.isReadable(1), events.isWritable(1), events.isHangup(1)))
                .containsExactly(false, true, false);
    }

    @Test
    void whatDoesNotFitIntoTheBatchComesWithTheNextPolls() throws IOException {
        List<Long> keys = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            FakeSource source = new FakeSource(provider, "s" + i);
            poller.register(source, i, Interest.READ, Mode.EDGE);
            poller.ready(source, true, false, false);
        }

        for (int size : new int[] {4, 4, 2, 0}) {
            assertThat(poller.poll(0)).isEqualTo(size);
            for (int i = 0; i < size; i++) {
                keys.add(poller.events().key(i));
            }
        }

        assertThat(keys).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
    }

    @Test
    void keysComeBackBitForBit() throws IOException {
        for (long key : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 0xFFFF_FFFF_0000_0000L}) {
            FakeSource source = new FakeSource(provider, "s");
            poller.register(source, key, Interest.READ, Mode.EDGE);
            poller.ready(source, true, false, false);
            poller.poll(0);
            assertThat(poller.events().key(0)).isEqualTo(key);
            source.close();
        }
    }

    @Test
    void deregisterModifyAndCloseBlankTheEntryThatWasFetched() throws IOException {
        FakeSource c = new FakeSource(provider, "c");
        FakeSource d = new FakeSource(provider, "d");
        for (FakeSource source : List.of(a, b, c, d)) {
            poller.register(source, 7, Interest.READ, Mode.EDGE);
            poller.ready(source, true, false, true);
        }
        assertThat(poller.poll(0)).isEqualTo(4);

        poller.deregister(a);
        poller.modify(b, 8, Interest.READ, Mode.EDGE);
        c.close();

        ReadyEvents events = poller.events();
        assertThat(events.size()).isEqualTo(4);
        for (int i = 0; i < 3; i++) {
            assertThat(List.of(events.isBlank(i), events.isReadable(i), events.isWritable(i), events.isHangup(i)))
                    .containsExactly(true, false, false, false);
        }
        assertThat(events.isBlank(3)).isFalse();
    }

    @Test
    void aRegistrationMadeDuringDispatchBlanksNothing() throws IOException {
        poller.register(a, 1, Interest.READ, Mode.EDGE);
        poller.ready(a, true, false, false);
        poller.poll(0);

        poller.register(b, 2, Interest.READ, Mode.EDGE);
        poller.modify(b, 3, Interest.READ, Mode.EDGE);
        poller.deregister(b);

        assertThat(poller.events().isBlank(0)).isFalse();
    }

    @Test
    void anEntryOfAnEarlierPollIsNotBlankedInALaterBatch() throws IOException {
        poller.register(a, 1, Interest.READ, Mode.EDGE);
        poller.register(b, 2, Interest.READ, Mode.EDGE);
        poller.ready(a, true, false, false);
        poller.poll(0);
        poller.ready(b, true, false, false);
        poller.poll(0);

        poller.deregister(a);

        assertThat(poller.events().isBlank(0)).isFalse();
    }

    @Test
    void nothingIsReportedForAnEmptyInterestNorForDirectionsThatAreNotWatched() throws IOException {
        poller.register(a, 1, Interest.NONE, Mode.EDGE);
        poller.register(b, 2, Interest.READ, Mode.EDGE);
        poller.ready(a, true, true, true);
        poller.ready(b, false, true, false);

        assertThat(poller.poll(0)).isZero();
    }

    @Test
    void aHangUpWithoutADirectionStandsForAllThatIsWatched() throws IOException {
        poller.register(a, 1, Interest.READ_WRITE, Mode.EDGE);
        poller.register(b, 2, Interest.READ, Mode.EDGE);
        poller.ready(a, false, false, true);
        poller.ready(b, false, false, true);

        assertThat(poller.poll(0)).isEqualTo(2);

        ReadyEvents events = poller.events();
        assertThat(List.of(events.isReadable(0), events.isWritable(0), events.isHangup(0)))
                .containsExactly(true, true, true);
        assertThat(List.of(events.isReadable(1), events.isWritable(1), events.isHangup(1)))
                .containsExactly(true, false, true);
    }

    // ---- waiting

    @Test
    void earlyReturnsOfTheBackendDoNotEndAPollBeforeItsDeadline() throws IOException {
        AtomicInteger polls = new AtomicInteger();
        poller.onPoll = () -> {
            if (polls.incrementAndGet() < 50) {
                poller.spurious();
            }
        };
        long timeout = TimeUnit.MILLISECONDS.toNanos(30);
        long start = System.nanoTime();

        assertThat(poller.poll(timeout)).isZero();

        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(timeout);
        assertThat(polls.get()).isGreaterThanOrEqualTo(50);
        assertThat(poller.timeouts.get(0)).isEqualTo(timeout);
        assertThat(poller.timeouts).isSortedAccordingTo((x, y) -> Long.compare(y, x));
    }

    @Test
    void aPollWithoutLimitWaitsThroughEarlyReturnsUntilAnEvent() throws IOException {
        poller.register(a, 1, Interest.READ, Mode.EDGE);
        AtomicInteger polls = new AtomicInteger();
        poller.onPoll = () -> {
            poller.spurious();
            if (polls.incrementAndGet() == 10) {
                poller.ready(a, true, false, false);
            }
        };

        assertThat(poller.poll(Poller.FOREVER)).isEqualTo(1);

        assertThat(poller.timeouts).hasSize(10).containsOnly(Poller.FOREVER);
    }

    @Test
    void zeroAsksTheSystemOnceAndDoesNotWait() throws IOException {
        poller.register(a, 1, Interest.READ, Mode.EDGE);
        poller.ready(a, true, false, false);

        assertThat(poller.poll(0)).isEqualTo(1);
        assertThat(poller.poll(0)).isZero();

        assertThat(poller.timeouts).containsExactly(0L, 0L);
    }

    @Test
    void negativeTimeoutsButForeverAreRefused() {
        for (long timeout : new long[] {-2, Long.MIN_VALUE}) {
            assertThatThrownBy(() -> poller.poll(timeout))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(Long.toString(timeout));
        }
        assertThat(poller.timeouts).isEmpty();
    }

    @Test
    void aPollThatFailsLeavesAnEmptyBatch() throws IOException {
        poller.register(a, 1, Interest.READ, Mode.EDGE);
        poller.ready(a, true, false, false);
        poller.poll(0);
        poller.onPoll = () -> {
            throw new IOException("failed");
        };

        assertThatThrownBy(() -> poller.poll(0)).hasMessage("failed");

        assertThat(poller.events().size()).isZero();
        poller.onPoll = () -> {};
        assertThat(poller.poll(0)).isZero();
    }

    // ---- wake-ups

    @Test
    void wakeUpsBeforeAPollMergeEndItAndNotTheOneAfter() throws IOException {
        poller.wakeup();
        poller.wakeup();
        poller.wakeup();
        assertThat(poller.poll(Poller.FOREVER)).isZero();
        assertThat(poller.wakeups).isZero();

        long timeout = TimeUnit.MILLISECONDS.toNanos(20);
        long start = System.nanoTime();
        poller.poll(timeout);
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(timeout);
    }

    @Test
    void aPollThatWasWokenBeforeStillFetchesWhatIsReady() throws IOException {
        poller.register(a, 1, Interest.READ, Mode.EDGE);
        poller.ready(a, true, false, false);
        poller.wakeup();

        assertThat(poller.poll(Poller.FOREVER)).isEqualTo(1);
    }

    @Test
    void wakeUpsDuringAPollSignalOnceAndEndIt() throws IOException {
        poller.onPoll = () -> {
            poller.wakeup();
            poller.wakeup();
        };

        poller.poll(Poller.FOREVER);

        assertThat(poller.wakeups).isEqualTo(1);
    }

    @Test
    void aWakeUpAfterAPollReturnedEndsTheNext() throws IOException {
        poller.onPoll = poller::wakeup;
        poller.poll(Poller.FOREVER);
        poller.onPoll = () -> {};
        poller.wakeup();

        assertThat(poller.poll(Poller.FOREVER)).isZero();
    }

    @Test
    void handOversOfManyThreadsNeverLeaveThePollerWaitingWithOneOutstanding() throws Exception {
        int threads = 4;
        int each = 25_000;
        AtomicInteger queue = new AtomicInteger();
        List<Thread> producers = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            Thread producer = new Thread(() -> {
                for (int i = 0; i < each; i++) {
                    queue.incrementAndGet();
                    poller.wakeup();
                }
            });
            producers.add(producer);
            producer.start();
        }
        int taken = 0;
        while (taken < threads * each) {
            // The fake fails if it is not woken for long.
            poller.poll(Poller.FOREVER);
            taken += queue.getAndSet(0);
        }
        for (Thread producer : producers) {
            producer.join();
        }
        assertThat(taken).isEqualTo(threads * each);
    }

    // ---- threads and closing

    @Test
    void callsFromAnotherThreadAreRefusedWithTheNamesOfBoth() throws Exception {
        poller.register(a, 1, Interest.READ, Mode.EDGE);
        List<Callable<?>> calls = List.of(
                () -> poller.poll(0),
                () -> {
                    poller.register(b, 1, Interest.READ, Mode.EDGE);
                    return null;
                },
                () -> {
                    poller.modify(a, 1, Interest.READ, Mode.EDGE);
                    return null;
                },
                () -> {
                    poller.rearm(a, Interest.READ);
                    return null;
                },
                () -> {
                    poller.deregister(a);
                    return null;
                },
                () -> {
                    a.close();
                    return null;
                });
        List<Throwable> thrown = new ArrayList<>();
        Thread thread = new Thread(() -> calls.forEach(call -> thrown.add(catchThrowable(call::call))), "stranger");
        thread.start();
        thread.join();

        assertThat(thrown)
                .hasSize(calls.size())
                .allSatisfy(t -> assertThat(t)
                        .isInstanceOf(PollerOwnershipException.class)
                        .hasMessageContaining("\"" + Thread.currentThread().getName() + "\"")
                        .hasMessageContaining("\"stranger\""));
        assertThat(a.isOpen()).isTrue();
        assertThat(poller.calls).containsExactly("register a");
    }

    @Test
    void afterCloseEveryMethodSaysSoAndWakeupDoesNothing() throws IOException {
        poller.register(a, 1, Interest.READ, Mode.EDGE);
        poller.close();
        poller.close();
        poller.wakeup();

        List<Callable<?>> calls = List.of(
                () -> poller.poll(0),
                () -> {
                    poller.register(b, 1, Interest.READ, Mode.EDGE);
                    return null;
                },
                () -> {
                    poller.modify(a, 1, Interest.READ, Mode.EDGE);
                    return null;
                },
                () -> {
                    poller.rearm(a, Interest.READ);
                    return null;
                },
                () -> {
                    poller.deregister(a);
                    return null;
                });
        assertThat(calls)
                .allSatisfy(call -> assertThatThrownBy(call::call)
                        .isInstanceOf(PollerClosedException.class)
                        .hasMessageContaining(poller + " is closed"));
        assertThat(poller.wakeups).isZero();
        assertThat(poller.calls.stream().filter("close"::equals)).hasSize(1);
        assertThat(poller.isOpen()).isFalse();
        assertThat(a.isOpen()).isTrue();
        try (FakePoller other = new FakePoller(provider, 1)) {
            other.register(a, 1, Interest.READ, Mode.EDGE);
        }
    }

    @Test
    void closeThatFailsFreesTheSourcesNevertheless() throws IOException {
        poller.register(a, 1, Interest.READ, Mode.EDGE);
        poller.onClose = () -> {
            throw new IOException("close");
        };

        assertThatThrownBy(poller::close).hasMessage("close");

        a.close();
        assertThat(a.releases).isEqualTo(1);
    }

    @Test
    void closeByAnotherThreadEndsAPollWhichTheOwnerReleases() throws Exception {
        poller.register(a, 1, Interest.READ, Mode.EDGE);
        AtomicReference<Thread> releaser = new AtomicReference<>();
        poller.onClose = () -> releaser.set(Thread.currentThread());
        Thread[] closer = {null};
        poller.onPoll = () -> {
            if (closer[0] == null) {
                poller.ready(a, true, false, false);
                closer[0] = start(poller::close);
                join(closer[0]);
            }
        };

        assertThat(poller.poll(Poller.FOREVER)).isZero();

        assertThat(poller.events().size()).isZero();
        assertThat(releaser.get()).isSameAs(Thread.currentThread());
    }

    @Test
    void closeByAnotherThreadDuringARegistrationWaitsForItsEnd() throws Exception {
        AtomicReference<Thread> releaser = new AtomicReference<>();
        poller.onClose = () -> releaser.set(Thread.currentThread());
        poller.onCall = () -> {
            join(start(poller::close));
            assertThat(poller.closed).isFalse();
        };

        poller.register(a, 1, Interest.READ, Mode.EDGE);

        assertThat(poller.closed).isTrue();
        assertThat(releaser.get()).isSameAs(Thread.currentThread());
        assertThat(a.registeredWith()).isNull();
    }

    @Test
    void aWakeUpInFlightIsAwaitedBeforeThePollerIsReleased() throws Exception {
        CountDownLatch inWakeup = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch polling = new CountDownLatch(1);
        poller.onPoll = polling::countDown;
        poller.onWakeup = () -> {
            if (inWakeup.getCount() > 0) {
                inWakeup.countDown();
                await(go);
            }
        };
        Thread waker = start(() -> {
            await(polling);
            poller.wakeup();
        });
        Thread closer = start(() -> {
            await(inWakeup);
            // Ends the poll; the owner waits then.
            poller.close();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            assertThat(poller.closed).isFalse();
            go.countDown();
        });

        poller.poll(Poller.FOREVER);

        assertThat(poller.closed).isTrue();
        join(waker);
        join(closer);
    }

    @Test
    void wakeUpsAndClosesThatRaceThePollsLeaveNothingOpen() throws Exception {
        for (int round = 0; round < 3_000; round++) {
            FakePoller poller = new FakePoller(provider, 4);
            Thread waker = start(() -> {
                for (int i = 0; i < 20; i++) {
                    poller.wakeup();
                }
            });
            Thread closer = start(poller::close);
            try {
                while (true) {
                    poller.poll(Poller.FOREVER);
                }
            } catch (PollerClosedException e) {
                // The end.
            }
            join(waker);
            join(closer);
            assertThat(poller.closed).isTrue();
            assertThat(poller.broken).isFalse();
        }
    }

    @Test
    void aSourceThatIsClosedWhileAnotherThreadReleasesThePollerIsReleasedAfterwards() throws Exception {
        poller.register(a, 1, Interest.READ, Mode.EDGE);
        CountDownLatch closing = new CountDownLatch(1);
        poller.onClose = () -> {
            closing.countDown();
            assertThat(a.releases).isZero();
        };
        Thread closer = start(poller::close);
        await(closing);

        a.close();

        assertThat(poller.closed).isTrue();
        assertThat(a.releases).isEqualTo(1);
        join(closer);
    }

    /** Something that may throw. */
    @FunctionalInterface
    interface Action {
        void run() throws Exception;
    }

    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    @AfterEach
    void noOtherThreadFailed() {
        assertThat(failures).isEmpty();
    }

    private Thread start(Action action) {
        Thread thread = new Thread(() -> {
            try {
                action.run();
            } catch (Throwable t) {
                failures.add(t);
            }
        });
        thread.start();
        return thread;
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aHangUpWithADirectionThatIsNotWatchedStandsForAllThatIs() throws IOException {
        poller.register(a, 1, Interest.READ, Mode.EDGE);
        poller.register(b, 2, Interest.WRITE, Mode.EDGE);
        poller.ready(a, false, true, true);
        poller.ready(b, true, false, true);

        assertThat(poller.poll(0)).isEqualTo(2);

        ReadyEvents events = poller.events();
        assertThat(List.of(events.isReadable(0), events.isWritable(0), events.isHangup(0)))
                .containsExactly(true, false, true);
        assertThat(List.of(events.isReadable(1), events.isWritable(1), events.isHangup(1)))
                .containsExactly(false, true, true);
    }

    @Test
    void aRearmDoesNotHoldUpACloseByAnotherThreadAndTheNextOneSaysThatThePollerIsClosed() throws Exception {
        poller.register(a, 1, Interest.READ, Mode.EDGE);
        poller.onCall = () -> {
            join(start(poller::close));
            assertThat(poller.closed).isTrue();
        };

        poller.rearm(a, Interest.READ);

        poller.onCall = () -> {};
        assertThatThrownBy(() -> poller.rearm(a, Interest.READ)).isInstanceOf(PollerClosedException.class);
    }
}
