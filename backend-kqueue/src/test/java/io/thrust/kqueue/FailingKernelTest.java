package io.thrust.kqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thrust.poll.Interest;
import io.thrust.poll.Mode;
import io.thrust.poll.PipePair;
import io.thrust.poll.Poller;
import io.thrust.poll.Source;
import io.thrust.poll.TooManyOpenFilesException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The poller over a kernel that fails on demand. */
@Timeout(60)
class FailingKernelTest {
    private final List<Poller> pollers = new ArrayList<>();
    private FakeSyscalls fake = new FakeSyscalls(KeventLayout.FREEBSD_11);
    private KqueueProvider provider = over(fake, KeventLayout.FREEBSD_11, true);

    private static KqueueProvider over(FakeSyscalls fake, KeventLayout layout, boolean userEvents) {
        KqueueSupport support = KqueueSupport.of(new Kernel(fake, layout, fake.numbers, userEvents));
        return new KqueueProvider(() -> support);
    }

    private Poller open(int capacity) throws IOException {
        Poller poller = provider.openPoller(capacity);
        pollers.add(poller);
        fake.changes.clear();
        fake.keventCalls = 0;
        return poller;
    }

    private Source source(int fd) {
        fake.open.add(fd);
        return provider.adopt(fd);
    }

    @AfterEach
    void close() throws IOException {
        for (Poller poller : pollers) {
            poller.close();
        }
    }

    private void ready(int fd, String filter) {
        fake.events.add(new FakeSyscalls.Event(fd, filter, 0, 0, 1));
    }

    @ParameterizedTest
    @EnumSource
    void eachLayoutCarriesChangesAndEvents(KeventLayout layout) throws IOException {
        fake = new FakeSyscalls(layout);
        provider = over(fake, layout, true);
        Poller poller = open(4);
        Source source = source(50);
        poller.register(source, -7, Interest.READ_WRITE, Mode.EDGE);
        assertThat(fake.changes).containsExactly("ADD 50 READ", "ADD 50 WRITE");
        ready(50, "READ");
        ready(50, "WRITE");
        assertThat(poller.poll(Poller.FOREVER)).isEqualTo(1);
        assertThat(poller.events().key(0)).isEqualTo(-7);
        assertThat(poller.events().isReadable(0)).isTrue();
        assertThat(poller.events().isWritable(0)).isTrue();
    }

    @Test
    void anInterruptedChangeIsMadeOnceMore() throws IOException {
        Poller poller = open(4);
        fake.keventFails.add(fake.numbers.eintr);
        fake.keventFails.add(fake.numbers.eintr);
        poller.register(source(50), 1, Interest.READ, Mode.EDGE);
        assertThat(fake.filters).containsKey("50 READ");
        assertThat(fake.keventCalls).isEqualTo(3);
    }

    @Test
    void anInterruptedWaitGoesOnAndKeepsWhatWasToBeEnabled() throws IOException {
        Poller poller = open(4);
        Source source = source(50);
        poller.register(source, 1, Interest.READ_WRITE, Mode.EDGE);
        poller.rearm(source, Interest.WRITE);
        fake.keventFails.add(fake.numbers.eintr);
        fake.keventFails.add(fake.numbers.eintr);
        ready(50, "WRITE");
        fake.changes.clear();
        assertThat(poller.poll(Poller.FOREVER)).isEqualTo(1);
        assertThat(fake.changes).containsExactly("ENABLE 50 WRITE");
        assertThat(fake.keventCalls).isEqualTo(1 + 3);
    }

    @Test
    void aWaitThatFailsSaysSoAndThePollerWorksOn() throws IOException {
        Poller poller = open(4);
        poller.register(source(50), 1, Interest.READ, Mode.EDGE);
        fake.keventFails.add(12);
        assertThatThrownBy(() -> poller.poll(0))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("poll: no buffer");
        ready(50, "READ");
        assertThat(poller.poll(0)).isEqualTo(1);
    }

    @Test
    void ifTheSecondFilterFailsTheFirstIsTakenBack() throws IOException {
        Poller poller = open(4);
        Source source = source(50);
        fake.changeFails.put("ADD 50 WRITE", 12);
        assertThatThrownBy(() -> poller.register(source, 1, Interest.READ_WRITE, Mode.EDGE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("register adopted fd 50")
                .hasMessageContaining("memory");
        assertThat(fake.filters).doesNotContainKeys("50 READ", "50 WRITE");

        fake.changeFails.clear();
        poller.register(source, 1, Interest.READ_WRITE, Mode.EDGE);
        assertThat(fake.filters).containsKeys("50 READ", "50 WRITE");
    }

    @Test
    void aModifyThatFailsLeavesWhatWas() throws IOException {
        Poller poller = open(4);
        Source source = source(50);
        poller.register(source, 1, Interest.READ, Mode.EDGE);
        fake.changeFails.put("ADD 50 WRITE", 12);
        assertThatThrownBy(() -> poller.modify(source, 2, Interest.READ_WRITE, Mode.LEVEL))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("modify adopted fd 50");
        assertThat(fake.filters).containsKey("50 READ").doesNotContainKey("50 WRITE");
        ready(50, "READ");
        assertThat(poller.poll(0)).isEqualTo(1);
        assertThat(poller.events().key(0)).isEqualTo(1);
    }

    @Test
    void aRestorationThatFailsTooIsSuppressedNotSwallowed() throws IOException {
        Poller poller = open(4);
        Source source = source(50);
        poller.register(source, 1, Interest.READ, Mode.EDGE);
        fake.changeFails.put("ADD 50 READ", 12);
        assertThatThrownBy(() -> poller.modify(source, 2, Interest.READ_WRITE, Mode.LEVEL))
                .isInstanceOf(IOException.class)
                .satisfies(e -> assertThat(e.getSuppressed())
                        .hasSize(1)
                        .allSatisfy(s -> assertThat(s).hasMessageContaining("restore adopted fd 50")));
    }

    @Test
    void fewerReceiptsThanChangesAreAFailureAndNothingStaysBehind() throws IOException {
        Poller poller = open(4);
        fake.receiptsLeft = 1;
        assertThatThrownBy(() -> poller.register(source(50), 1, Interest.READ_WRITE, Mode.EDGE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("kevent answered 1 of 2 changes");
        fake.receiptsLeft = Integer.MAX_VALUE;
        assertThat(fake.filters).containsOnlyKeys("0 USER");
    }

    @Test
    void whatIsGoneAlreadyIsDeregisteredWithoutAFailure() throws IOException {
        Poller poller = open(4);
        Source source = source(50);
        poller.register(source, 1, Interest.READ_WRITE, Mode.EDGE);
        fake.changeFails.put("DELETE 50 READ", fake.numbers.ebadf);
        fake.filters.remove("50 WRITE");
        poller.deregister(source);
        assertThat(fake.changes).endsWith("DELETE 50 READ", "DELETE 50 WRITE");
    }

    @Test
    void anErrorThatIsNotExpectedOnDeregisteringIsReportedAndTheSourceIsDeregistered() throws IOException {
        Poller poller = open(4);
        Source source = source(50);
        poller.register(source, 1, Interest.READ, Mode.EDGE);
        fake.changeFails.put("DELETE 50 READ", 12);
        assertThatThrownBy(() -> poller.deregister(source)).isInstanceOf(IOException.class);
        // Its filter is still there: the event of a past registration finds nothing.
        ready(50, "READ");
        assertThat(poller.poll(0)).isZero();
        fake.changeFails.clear();
        poller.register(source, 2, Interest.READ, Mode.EDGE);
    }

    @Test
    void errorEntriesAreNoEvents() throws IOException {
        Poller poller = open(4);
        Source gone = source(50);
        Source other = source(51);
        poller.register(gone, 1, Interest.READ_WRITE, Mode.EDGE);
        poller.register(other, 2, Interest.READ, Mode.EDGE);
        fake.filters.remove("50 WRITE");
        poller.rearm(gone, Interest.WRITE);
        ready(51, "READ");
        assertThat(poller.poll(Poller.FOREVER)).isEqualTo(1);
        assertThat(poller.events().key(0)).isEqualTo(2);
    }

    @Test
    void rearmCostsNoCallOfItsOwn() throws IOException {
        Poller poller = open(4);
        Source source = source(50);
        poller.register(source, 1, Interest.READ_WRITE, Mode.EDGE);
        fake.keventCalls = 0;
        for (int i = 0; i < 10; i++) {
            poller.rearm(source, Interest.READ_WRITE);
        }
        assertThat(fake.keventCalls).isZero();
        ready(50, "WRITE");
        fake.changes.clear();
        assertThat(poller.poll(Poller.FOREVER)).isEqualTo(1);
        assertThat(fake.keventCalls).isEqualTo(1);
        assertThat(fake.changes).containsExactly("ENABLE 50 WRITE");
    }

    @Test
    void moreRearmsThanOneCallTakesAreAllMade() throws IOException {
        Poller poller = open(3);
        List<Source> sources = new ArrayList<>();
        for (int fd = 100; fd < 300; fd++) {
            Source source = source(fd);
            sources.add(source);
            poller.register(source, fd, Interest.READ_WRITE, Mode.EDGE);
        }
        fake.changes.clear();
        for (Source source : sources) {
            poller.rearm(source, Interest.WRITE);
        }
        poller.deregister(sources.get(7));
        poller.modify(sources.get(8), 8, Interest.READ, Mode.EDGE);
        fake.changes.clear();
        assertThat(poller.poll(0)).isZero();
        assertThat(fake.changes)
                .hasSize(198)
                .doesNotHaveDuplicates()
                .doesNotContain("ENABLE 107 WRITE", "ENABLE 108 WRITE")
                .contains("ENABLE 100 WRITE", "ENABLE 299 WRITE");
    }

    @Test
    void rearmsThatFailNeedNoRoomInTheBatch() throws IOException {
        Poller poller = open(1);
        for (int fd = 50; fd < 150; fd++) {
            Source source = source(fd);
            poller.register(source, fd, Interest.READ_WRITE, Mode.EDGE);
            poller.rearm(source, Interest.WRITE);
            fake.filters.remove(fd + " WRITE");
        }
        ready(70, "READ");
        assertThat(poller.poll(Poller.FOREVER)).isEqualTo(1);
        assertThat(poller.events().key(0)).isEqualTo(70);
    }

    @Test
    void aRearmBeforeAModifyOrADeregistrationIsForgottenWithIt() throws IOException {
        Poller poller = open(4);
        Source source = source(50);
        poller.register(source, 1, Interest.WRITE, Mode.EDGE);
        poller.rearm(source, Interest.WRITE);
        poller.deregister(source);
        poller.register(source, 2, Interest.WRITE, Mode.EDGE);
        fake.changes.clear();
        poller.poll(0);
        assertThat(fake.changes).isEmpty();
        poller.rearm(source, Interest.WRITE);
        poller.poll(0);
        assertThat(fake.changes).containsExactly("ENABLE 50 WRITE");
    }

    @Test
    void aSourceOfAClosedPollerCanBeRearmedInTheNext() throws IOException {
        Poller first = open(4);
        Source source = source(50);
        first.register(source, 1, Interest.WRITE, Mode.EDGE);
        first.rearm(source, Interest.WRITE);
        first.close();
        Poller second = open(4);
        second.register(source, 2, Interest.WRITE, Mode.EDGE);
        fake.changes.clear();
        second.rearm(source, Interest.WRITE);
        second.poll(0);
        assertThat(fake.changes).containsExactly("ENABLE 50 WRITE");
    }

    @ParameterizedTest
    @EnumSource
    void aWriterWhoseReaderIsGoneIsReportedThoughTheKernelRefusesItsFilter(Mode mode) throws IOException {
        Poller poller = open(1);
        Source source = source(50);
        fake.changeFails.put("ADD 50 WRITE", fake.numbers.epipe);
        poller.register(source, 1, Interest.READ_WRITE, mode);
        assertThat(poller.poll(Poller.FOREVER)).isEqualTo(1);
        assertThat(poller.events().isWritable(0)).isTrue();
        assertThat(poller.events().isHangup(0)).isTrue();
        assertThat(poller.poll(0)).isEqualTo(mode == Mode.LEVEL ? 1 : 0);
        if (mode == Mode.EDGE) {
            poller.rearm(source, Interest.WRITE);
            assertThat(poller.poll(Poller.FOREVER)).isEqualTo(1);
        }
        poller.modify(source, 2, Interest.READ, mode);
        assertThat(poller.poll(0)).isZero();
        poller.deregister(source);
        assertThat(fake.changes).doesNotContain("DELETE 50 WRITE");
    }

    @Test
    void brokenWritersAndOthersTakeTurnsInASmallBatch() throws IOException {
        Poller poller = open(1);
        for (int fd = 50; fd < 53; fd++) {
            fake.changeFails.put("ADD " + fd + " WRITE", fake.numbers.epipe);
            poller.register(source(fd), fd, Interest.WRITE, Mode.LEVEL);
        }
        poller.register(source(60), 60, Interest.READ, Mode.LEVEL);
        List<Long> keys = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            ready(60, "READ");
            assertThat(poller.poll(Poller.FOREVER)).isEqualTo(1);
            keys.add(poller.events().key(0));
        }
        assertThat(keys).contains(50L, 51L, 52L, 60L);
    }

    @Test
    void ebadfOfAnOpenDescriptorIsABrokenWriterToo() throws IOException {
        Poller poller = open(4);
        fake.changeFails.put("ADD 50 WRITE", fake.numbers.ebadf);
        poller.register(source(50), 1, Interest.WRITE, Mode.EDGE);
        assertThat(poller.poll(Poller.FOREVER)).isEqualTo(1);

        fake.changeFails.put("ADD 51 WRITE", fake.numbers.ebadf);
        Source closed = provider.adopt(51);
        assertThatThrownBy(() -> poller.register(closed, 1, Interest.WRITE, Mode.EDGE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("was closed without closing the source");
    }

    @Test
    void oneShotIsDisarmedInBothDirectionsAlthoughTheOtherFilterFires() throws IOException {
        Poller poller = open(4);
        Source source = source(50);
        poller.register(source, 1, Interest.READ_WRITE, Mode.ONE_SHOT);
        ready(50, "READ");
        assertThat(poller.poll(0)).isEqualTo(1);
        ready(50, "WRITE");
        assertThat(poller.poll(0)).isZero();
        poller.modify(source, 1, Interest.READ_WRITE, Mode.ONE_SHOT);
        ready(50, "WRITE");
        assertThat(poller.poll(0)).isEqualTo(1);
    }

    @Test
    void longWaitsAreCappedAndShortOnesExact() throws IOException {
        Poller poller = open(4);
        poller.register(source(50), 1, Interest.READ, Mode.EDGE);
        ready(50, "READ");
        poller.poll(Long.MAX_VALUE);
        assertThat(fake.lastWait).isEqualTo(86_400_000_000_000L);
        ready(50, "READ");
        poller.poll(1_999_999_999L);
        assertThat(fake.lastWait).isEqualTo(1_999_999_999L);
        ready(50, "READ");
        poller.poll(Poller.FOREVER);
        assertThat(fake.lastWait).isEqualTo(-1);
        poller.poll(0);
        assertThat(fake.lastWait).isZero();
    }

    @Test
    void withoutDescriptorsNothingOpensAndNothingLeaks() throws IOException {
        for (boolean userEvents : new boolean[] {true, false}) {
            provider = over(fake, KeventLayout.FREEBSD_11, userEvents);
            for (int left = 0; left < (userEvents ? 1 : 3); left++) {
                fake.descriptorsLeft = left;
                assertThatThrownBy(() -> provider.openPoller(8))
                        .isInstanceOf(TooManyOpenFilesException.class)
                        .hasMessageStartingWith("open a kqueue poller: too many open files");
                assertThat(fake.open).isEmpty();
            }
            fake.descriptorsLeft = 1;
            assertThatThrownBy(provider::pipe).isInstanceOf(TooManyOpenFilesException.class);
            assertThat(fake.open).isEmpty();
        }
    }

    @Test
    void ifTheWakeUpCannotBeRegisteredThePollerDoesNotOpenAndNothingLeaks() {
        fake.changeFails.put("ADD 0 USER", 12);
        assertThatThrownBy(() -> provider.openPoller(8))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("open a kqueue poller: register its wake-up");
        assertThat(fake.open).isEmpty();
    }

    @Test
    void wakeUpsWorkWithAndWithoutUserEvents() throws Exception {
        for (boolean userEvents : new boolean[] {true, false}) {
            fake = new FakeSyscalls(KeventLayout.FREEBSD_11);
            provider = over(fake, KeventLayout.FREEBSD_11, userEvents);
            Poller poller = open(1);
            poller.wakeup();
            assertThat(poller.poll(Poller.FOREVER)).isZero();
            poller.close();
            assertThat(fake.open).isEmpty();
        }
    }

    @Test
    void eachDescriptorIsClosedOnce() throws IOException {
        PipePair pipe = provider.pipe();
        assertThat(fake.open).hasSize(2);
        pipe.reader().close();
        pipe.writer().close();
        pipe.writer().close();
        assertThat(fake.open).isEmpty();
    }

    @Test
    void theProbeTellsUserEventsAndAWrongSizeAndLeavesNothingOpen() {
        KqueueSupport support = KqueueProbe.probe(fake, KeventLayout.FREEBSD_11, fake.numbers);
        assertThat(support.kernel()).isNotNull();
        assertThat(support.kernel().userEvents()).isTrue();

        fake.changeFails.put("ADD 0 USER", fake.numbers.einval);
        assertThat(KqueueProbe.probe(fake, KeventLayout.FREEBSD_11, fake.numbers)
                        .kernel()
                        .userEvents())
                .isFalse();

        KqueueSupport wrong = KqueueProbe.probe(fake, KeventLayout.FREEBSD_12, fake.numbers);
        assertThat(wrong.kernel()).isNull();
        assertThat(wrong.availability().reason())
                .contains("freebsd12 (64 bytes)")
                .contains("-Dthrust.kqueue.layout=NAME");

        fake.descriptorsLeft = 0;
        assertThat(KqueueProbe.probe(fake, KeventLayout.FREEBSD_11, fake.numbers)
                        .availability()
                        .reason())
                .contains("EMFILE");
        assertThat(fake.open).isEmpty();
    }
}
