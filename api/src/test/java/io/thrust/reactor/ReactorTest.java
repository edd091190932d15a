package io.thrust.reactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thrust.poll.Interest;
import io.thrust.poll.Mode;
import io.thrust.poll.Poller;
import io.thrust.poll.PollerClosedException;
import io.thrust.poll.SourceClosedException;
import io.thrust.poll.spi.FakePoller;
import io.thrust.poll.spi.FakeProvider;
import io.thrust.poll.spi.FakeSource;
import io.thrust.task.Logged;
import io.thrust.task.Waker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Readiness to wakers, slots, timers, and the table of registrations. */
@Timeout(60)
class ReactorTest {
    private final FakeProvider provider = new FakeProvider();
    private final FakePoller poller = provider.openPoller(8);
    private long now;
    private final Reactor reactor = new Reactor(poller, () -> now);
    private final FakeSource a = new FakeSource(provider, "a");
    private final FakeSource b = new FakeSource(provider, "b");
    private final List<String> woken = new ArrayList<>();

    // ---- registration state

    @Test
    void aWaitIsWokenOnce() throws IOException {
        Registration registration = reactor.register(a, Interest.READ);
        Object operation = new Object();
        assertThat(registration.pollReadable(operation, () -> woken.add("a"))).isFalse();

        poller.ready(a, true, false, false);
        reactor.turn(0);
        poller.ready(a, true, false, false);
        reactor.turn(0);

        assertThat(woken).containsExactly("a");
        assertThat(registration.pollReadable(operation, () -> woken.add("again")))
                .isTrue();
        registration.clearReadable();
        assertThat(registration.pollReadable(operation, () -> woken.add("again")))
                .isFalse();
        assertThat(woken).containsExactly("a");
        assertThat(poller.calls).contains("rearm a READ");
    }

    @Test
    void readinessThatCameWhileNobodyWaitedIsRemembered() throws IOException {
        Registration registration = reactor.register(a, Interest.READ);
        poller.ready(a, true, false, true);
        reactor.turn(0);

        assertThat(registration.pollReadable(this, () -> {})).isTrue();
        assertThat(registration.isHangup()).isTrue();
    }

    @Test
    void theLatestWakerOfAnOperationCounts() throws IOException {
        Registration registration = reactor.register(a, Interest.READ);
        Object operation = new Object();
        registration.pollReadable(operation, () -> woken.add("old"));
        registration.pollReadable(operation, () -> woken.add("new"));

        poller.ready(a, true, false, false);
        reactor.turn(0);

        assertThat(woken).containsExactly("new");
    }

    @Test
    void aSecondOperationInTheSameDirectionIsRefusedUntilTheFirstEndsOrIsGivenUp() throws IOException {
        Registration registration = reactor.register(a, Interest.READ);
        Object first = new Object();
        Object second = new Object();
        registration.pollReadable(first, () -> woken.add("first"));

        assertThatThrownBy(() -> registration.pollReadable(second, () -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("another read is under way on a");
        registration.releaseRead(second);
        assertThatThrownBy(() -> registration.pollReadable(second, () -> {})).isInstanceOf(IllegalStateException.class);
        registration.releaseRead(first);
        assertThat(registration.pollReadable(second, () -> woken.add("second"))).isFalse();

        poller.ready(a, true, false, false);
        reactor.turn(0);
        assertThat(woken).containsExactly("second");
        // Woken, but not polled yet: the slot is still its own.
        assertThatThrownBy(() -> registration.pollReadable(first, () -> {})).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void anOperationThatPutsItselfOffKeepsItsSlot() throws IOException {
        Registration registration = reactor.register(a, Interest.READ);
        Object first = new Object();
        Object second = new Object();
        poller.ready(a, true, true, false);
        reactor.turn(0);

        assertThat(registration.pollReadable(first, () -> {})).isTrue();
        registration.holdRead(first);
        assertThatThrownBy(() -> registration.pollReadable(second, () -> {})).isInstanceOf(IllegalStateException.class);
        assertThat(registration.pollReadable(first, () -> {})).isTrue();
        assertThat(registration.pollReadable(second, () -> {})).isTrue();

        registration.holdWrite(first);
        assertThatThrownBy(() -> registration.pollWritable(second, () -> {})).isInstanceOf(IllegalStateException.class);
        registration.releaseWrite(first);
        assertThat(registration.pollWritable(second, () -> {})).isTrue();
    }

    @Test
    void readsAndWritesWaitIndependently() throws IOException {
        Registration registration = reactor.register(a, Interest.READ_WRITE);
        registration.pollReadable(this, () -> woken.add("reader"));
        registration.pollWritable(this, () -> woken.add("writer"));

        poller.ready(a, false, true, false);
        reactor.turn(0);
        assertThat(woken).containsExactly("writer");
        poller.ready(a, true, false, false);
        reactor.turn(0);
        assertThat(woken).containsExactly("writer", "reader");
    }

    @Test
    void aDirectionThatIsNotWatchedCountsAsReadyAndIsWatchedOnceItBlocked() throws IOException {
        Registration registration = reactor.register(a, Interest.READ);
        assertThat(registration.pollWritable(this, () -> {})).isTrue();
        registration.clearWritable();
        assertThat(registration.pollWritable(this, () -> woken.add("writer"))).isFalse();

        poller.ready(a, false, true, false);
        reactor.turn(0);
        assertThat(woken).containsExactly("writer");
        assertThat(registration.pollWritable(this, () -> {})).isTrue();
        registration.clearWritable();

        assertThat(poller.calls).containsSubsequence("modify a READ->READ_WRITE", "rearm a WRITE");
        assertThat(poller.calls.stream().filter(call -> call.startsWith("modify")))
                .hasSize(1);
    }

    @Test
    void anOperationTriesAgainIfWhatItWaitsForCannotBeWatched() throws IOException {
        Registration registration = reactor.register(a, Interest.READ);
        poller.onCall = () -> {
            throw new IOException("no memory");
        };
        assertThatThrownBy(registration::clearWritable).hasMessage("no memory");
        poller.onCall = () -> {};

        assertThat(registration.pollWritable(this, () -> {})).isTrue();
        registration.clearWritable();
        assertThat(registration.pollWritable(this, () -> woken.add("writer"))).isFalse();
        poller.ready(a, false, true, false);
        reactor.turn(0);
        assertThat(woken).containsExactly("writer");
    }

    @Test
    void aShortReadMeansDrainedOnlyUntilAHangUpWasSeen() throws IOException {
        Registration registration = reactor.register(a, Interest.READ);
        poller.ready(a, true, false, false);
        reactor.turn(0);
        registration.clearReadableAfterShortRead(a);
        assertThat(registration.pollReadable(this, () -> {})).isFalse();

        poller.ready(a, true, false, true);
        reactor.turn(0);
        registration.clearReadableAfterShortRead(a);
        assertThat(registration.pollReadable(this, () -> {})).isTrue();
    }

    @Test
    void closingWakesBothDirectionsWhichFindItClosedAndSoDoesWhoeverComesLater() throws IOException {
        Registration registration = reactor.register(a, Interest.READ_WRITE);
        Object reader = new Object();
        registration.pollReadable(reader, () -> woken.add("reader"));
        registration.pollWritable(this, () -> woken.add("writer"));

        registration.close();
        registration.close();

        assertThat(woken).containsExactly("reader", "writer");
        assertThat(a.releases).isEqualTo(1);
        assertThat(reactor.registrationCount()).isZero();
        // The slots are still those of the two that were woken; another one is told of the close nevertheless.
        for (Object operation : List.of(new Object(), reader)) {
            assertThatThrownBy(() -> registration.pollReadable(operation, () -> {}))
                    .isInstanceOf(SourceClosedException.class)
                    .hasMessage("a is closed");
            assertThatThrownBy(() -> registration.pollWritable(operation, () -> {}))
                    .isInstanceOf(SourceClosedException.class);
        }
        registration.clearReadable();
        assertThat(poller.calls).containsExactly("register a", "deregister a");
    }

    // ---- dispatch

    @Test
    void anEventOfAnEarlierRegistrationUnderTheSameIndexReachesNobody() throws IOException {
        Registration first = reactor.register(a, Interest.READ);
        long key = first.key();
        first.close();
        Registration second = reactor.register(b, Interest.READ);
        assertThat((int) second.key()).isEqualTo((int) key);
        assertThat(second.key()).isNotEqualTo(key);
        second.pollReadable(this, () -> woken.add("b"));

        // A backend that reports an old key: the source is registered under it behind the reactor's back.
        FakeSource stale = new FakeSource(provider, "stale");
        poller.register(stale, key, Interest.READ, Mode.EDGE);
        poller.ready(stale, true, false, false);
        assertThat(reactor.turn(0)).isEqualTo(1);

        assertThat(woken).isEmpty();
    }

    @Test
    void whatAWakerClosesDuringADispatchIsPassedOver() throws IOException {
        Registration first = reactor.register(a, Interest.READ);
        Registration second = reactor.register(b, Interest.READ);
        first.pollReadable(this, () -> {
            woken.add("a");
            try {
                second.close();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        second.pollReadable(this, () -> woken.add("b: " + second.isOpen()));
        poller.ready(a, true, false, false);
        poller.ready(b, true, false, false);

        assertThat(reactor.turn(0)).isEqualTo(2);

        // By the close, not by the event.
        assertThat(woken).containsExactly("a", "b: false");
    }

    @Test
    void aWakerThatThrowsIsLoggedAndTheOthersAreWoken() throws IOException {
        try (Logged logged = new Logged("io.thrust.reactor")) {
            RuntimeException exception = new RuntimeException("waker");
            Error error = new AssertionError("waker");
            reactor.register(a, Interest.READ).pollReadable(this, () -> {
                throw exception;
            });
            FakeSource c = new FakeSource(provider, "c");
            reactor.register(c, Interest.READ).pollReadable(this, () -> {
                throw error;
            });
            reactor.register(b, Interest.READ).pollReadable(this, () -> woken.add("b"));
            reactor.timers().add(0, () -> {
                throw error;
            });
            reactor.timers().add(0, () -> woken.add("timer"));
            for (FakeSource source : List.of(a, c, b)) {
                poller.ready(source, true, false, false);
            }

            reactor.turn(0);

            assertThat(woken).containsExactly("b", "timer");
            assertThat(logged.thrown()).containsExactly(exception, error, error);
        }
    }

    @Test
    void aWakerThatThrowsKeepsNobodyFromBeingWokenThoughItsTextAndTheLogFailToo() throws IOException {
        java.util.logging.Logger logger = java.util.logging.Logger.getLogger("io.thrust.reactor");
        logger.setFilter(record -> {
            throw new NoClassDefFoundError("as where a log may open no file");
        });
        try {
            reactor.register(a, Interest.READ).pollReadable(this, new Waker() {
                @Override
                public void wake() {
                    throw new StackOverflowError();
                }

                @Override
                public String toString() {
                    throw new IllegalStateException("no text");
                }
            });
            reactor.register(b, Interest.READ).pollReadable(this, () -> woken.add("b"));
            poller.ready(a, true, false, false);
            poller.ready(b, true, false, false);

            reactor.turn(0);

            assertThat(woken).containsExactly("b");
            poller.onClose = () -> {
                throw new IOException("close");
            };
            a.onRelease = () -> {
                throw new IOException("close");
            };
            reactor.close();
            assertThat(b.releases).isEqualTo(1);
        } finally {
            logger.setFilter(null);
        }
    }

    @Test
    void registrationsThatAreRefusedTakeNoPlace() throws IOException {
        List<Registration> registrations = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            registrations.add(reactor.register(new FakeSource(provider, "s" + i), Interest.READ));
        }
        poller.onCall = () -> {
            throw new IOException("no space");
        };
        // Were each of them to double the table, memory would be gone long before the last.
        for (int i = 0; i < 100; i++) {
            assertThatThrownBy(() -> reactor.register(a, Interest.READ)).hasMessage("no space");
        }
        poller.onCall = () -> {};

        Registration next = reactor.register(a, Interest.READ);
        assertThat((int) next.key()).isEqualTo(16);
        assertThat(reactor.registrationCount()).isEqualTo(17);
        for (Registration registration : registrations) {
            registration.close();
        }
        assertThat(reactor.registrationCount()).isEqualTo(1);
    }

    @Test
    void indexesAreUsedAgainAndTheTableGrowsWithTheLivingOnly() throws IOException {
        for (int i = 0; i < 100_000; i++) {
            Registration registration = reactor.register(new FakeSource(provider, "s"), Interest.READ);
            assertThat((int) registration.key()).isZero();
            registration.close();
            poller.calls.clear();
        }
    }

    // ---- timers

    @Test
    void aTurnWaitsForTheFirstDeadlineAtMost() throws IOException {
        reactor.timers().add(TimeUnit.MILLISECONDS.toNanos(1), () -> woken.add("timer"));
        reactor.turn(Poller.FOREVER);
        // The clock stood still: not due yet.
        assertThat(woken).isEmpty();

        now = TimeUnit.MILLISECONDS.toNanos(1);
        reactor.turn(Poller.FOREVER);

        assertThat(woken).containsExactly("timer");
        assertThat(poller.timeouts).containsExactly(TimeUnit.MILLISECONDS.toNanos(1), 0L);
    }

    @Test
    void timersAndSourcesThatAreDueInTheSameTurnAreServedBoth() throws IOException {
        reactor.register(a, Interest.READ).pollReadable(this, () -> woken.add("a"));
        reactor.timers().add(0, () -> woken.add("timer"));
        poller.ready(a, true, false, false);

        reactor.turn(Poller.FOREVER);

        assertThat(woken).containsExactly("a", "timer");
    }

    @Test
    void unparkEndsAWaitWithoutLimit() throws Exception {
        poller.onPoll = () -> new Thread(reactor::unpark).start();

        reactor.park(Poller.FOREVER);

        assertThat(woken).isEmpty();
    }

    // ---- closing

    @Test
    void closeClosesThePollerThenAllSourcesAndWakesWhoeverWaits() throws IOException {
        reactor.register(a, Interest.READ).pollReadable(this, () -> woken.add("a: " + a.isOpen()));
        reactor.register(b, Interest.READ);
        a.onRelease = () -> {
            assertThat(poller.closed).isTrue();
            return null;
        };

        reactor.close();
        reactor.close();

        assertThat(woken).containsExactly("a: false");
        assertThat(List.of(a.releases, b.releases)).containsExactly(1, 1);
        assertThat(reactor.registrationCount()).isZero();
        assertThatThrownBy(() -> reactor.register(new FakeSource(provider, "late"), Interest.READ))
                .isInstanceOf(PollerClosedException.class);
    }

    @Test
    void sourcesAndPollersThatFailToCloseKeepNoOtherFromBeingClosed() throws IOException {
        try (Logged logged = new Logged("io.thrust.reactor")) {
            reactor.register(a, Interest.READ);
            FakeSource c = new FakeSource(provider, "c");
            reactor.register(c, Interest.READ);
            reactor.register(b, Interest.READ);
            RuntimeException pollerFailure = new IllegalStateException("poller");
            IOException io = new IOException("a");
            RuntimeException unchecked = new IllegalStateException("c");
            poller.onClose = () -> {
                throw pollerFailure;
            };
            a.onRelease = () -> {
                throw io;
            };
            c.onRelease = () -> {
                throw unchecked;
            };

            reactor.close();

            assertThat(b.releases).isEqualTo(1);
            assertThat(logged.thrown()).containsExactly(pollerFailure, io, unchecked);
        }
    }

    @Test
    void anErrorOfOneSourceKeepsNoOtherFromBeingClosedAndNobodyFromBeingWoken() throws IOException {
        Registration first = reactor.register(a, Interest.READ);
        Registration second = reactor.register(b, Interest.READ);
        first.pollReadable(this, () -> woken.add("a"));
        second.pollReadable(this, () -> woken.add("b"));
        Error error = new AssertionError("broken source");
        a.onRelease = () -> {
            throw error;
        };

        assertThatThrownBy(reactor::close).isSameAs(error);

        assertThat(woken).containsExactly("a", "b");
        assertThat(b.isOpen()).isFalse();
        assertThat(reactor.registrationCount()).isZero();
        assertThatThrownBy(() -> first.pollReadable(this, () -> {})).isInstanceOf(SourceClosedException.class);
    }

    @Test
    void anEventOfWhatSomebodyElseRegisteredWithThePollerIsPassedOver() throws IOException {
        reactor.turn(0);
        Registration registration = reactor.register(b, Interest.READ);
        registration.pollReadable(this, () -> woken.add("b"));
        poller.register(a, 1_000_000, Interest.READ, Mode.EDGE);
        FakeSource c = new FakeSource(provider, "c");
        poller.register(c, -1, Interest.READ, Mode.EDGE);

        poller.ready(a, true, false, false);
        poller.ready(c, true, false, false);
        poller.ready(b, true, false, false);
        reactor.turn(0);

        assertThat(woken).containsExactly("b");
    }
}
