package io.thrust.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thrust.poll.AlreadyRegisteredException;
import io.thrust.poll.ForeignSourceException;
import io.thrust.poll.Interest;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.Mode;
import io.thrust.poll.NotRegisteredException;
import io.thrust.poll.PipePair;
import io.thrust.poll.Poller;
import io.thrust.poll.PollerClosedException;
import io.thrust.poll.Source;
import io.thrust.poll.SourceClosedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Chapter 1: registration. */
interface RegistrationRules extends Chapter {

    @Rule("1.1")
    default void aByteIsReportedOnceWithItsKey() throws Exception {
        fixture().inEachMode(mode -> {
            Watch watch = fixture().watch();
            Connection pair = fixture().connection();
            watch.register(pair.server(), 41, Interest.READ, mode);
            watch.expectSilence("an idle connection");
            fixture().write(pair.client(), "x");
            Event event = watch.expect(41, "a byte was written to a registered connection");
            assertTrue(event.readable(), () -> event + " is not readable");
            assertFalse(event.writable(), () -> event + " is writable, but only READ is its interest");
            assertEquals("x", fixture().readText(pair.server(), 1));
        });
    }

    @Rule("1.2")
    default void readinessBeforeRegistrationIsReported() throws Exception {
        fixture().inEachMode(mode -> {
            Watch watch = fixture().watch();
            Connection pair = fixture().connection();
            fixture().write(pair.client(), "ab");
            assertEquals("a", fixture().readText(pair.server(), 1));
            watch.register(pair.server(), 7, Interest.READ, mode);
            watch.expectReadable(7, "a byte had come before the registration");

            ListenerSource listener = fixture().listener();
            fixture().awaitConnected(fixture().connect(listener.localAddress()));
            Watch second = fixture().watch();
            second.register(listener, 8, Interest.READ, mode);
            second.expectReadable(8, "a connection had come before the listener was registered");
        });
    }

    @Rule("1.3")
    default void aSecondRegistrationIsRefused() throws Exception {
        fixture().inEachMode(mode -> {
            Watch watch = fixture().watch();
            Connection pair = fixture().connection();
            watch.register(pair.server(), 1, Interest.READ, mode);
            for (Mode other : fixture().provider().modes()) {
                assertThrows(
                        AlreadyRegisteredException.class,
                        () -> watch.register(pair.server(), 2, Interest.READ_WRITE, other),
                        "registering a registered source");
            }
            watch.expectSilence("READ is still the interest: it must not have become writable");
            fixture().write(pair.client(), "x");
            Event event = watch.expectReadable(1, "the first registration has to stay as it was");
            assertFalse(event.writable(), () -> event + " has the interest of the refused registration");
            if (mode == Mode.LEVEL) {
                watch.expectReadable(1, "mode LEVEL has to repeat the report");
            } else {
                watch.expectSilence("mode " + mode + " must not repeat the report");
            }
            watch.poller().deregister(pair.server());
            watch.expectNothingNow("deregistered");
        });
    }

    @Rule("1.4")
    default void whatWasNeverRegisteredIsRefused() throws Exception {
        Watch watch = fixture().watch();
        Connection pair = fixture().connection();
        assertThrows(
                NotRegisteredException.class,
                () -> watch.modify(pair.server(), 1, Interest.READ, Mode.EDGE),
                "modify of a source that was never registered");
        assertThrows(
                NotRegisteredException.class,
                () -> watch.poller().deregister(pair.server()),
                "deregister of a source that was never registered");
        assertThrows(
                NotRegisteredException.class,
                () -> watch.rearm(pair.server(), Interest.READ),
                "rearm of a source that was never registered");
        fixture().write(pair.client(), "x");
        watch.expectSilence("the refused calls must register nothing");
        watch.register(pair.server(), 2, Interest.READ, Mode.EDGE);
        watch.expectReadable(2, "registered after the refused calls");
    }

    @Rule("1.5")
    default void aSecondDeregistrationIsRefused() throws Exception {
        Watch watch = fixture().watch();
        Connection pair = fixture().connection();
        Connection other = fixture().connection();
        watch.register(other.server(), 2, Interest.READ, Mode.EDGE);
        watch.register(pair.server(), 1, Interest.READ_WRITE, Mode.EDGE);
        watch.poller().deregister(pair.server());
        assertThrows(
                NotRegisteredException.class,
                () -> watch.poller().deregister(pair.server()),
                "the second deregister of a source");
        assertThrows(
                NotRegisteredException.class,
                () -> watch.modify(pair.server(), 1, Interest.READ, Mode.EDGE),
                "modify of a deregistered source");
        fixture().write(pair.client(), "x");
        fixture().write(other.client(), "y");
        watch.expectReadable(2, "another source has to stay registered");
        watch.expectNothingNow("the deregistered source");
    }

    @Rule("1.6")
    default void aDeregisteredSourceCanBeRegisteredAgain() throws Exception {
        fixture().inEachMode(mode -> {
            Watch watch = fixture().watch();
            Connection pair = fixture().connection();
            watch.register(pair.server(), 1, Interest.READ, mode);
            watch.expectNothingNow("an idle connection");
            watch.poller().deregister(pair.server());
            watch.register(pair.server(), 1, Interest.READ, mode);
            fixture().write(pair.client(), "x");
            watch.expectReadable(1, "registered for the second time");
        });
    }

    @Rule("1.7")
    default void registrationsComeAndGoWithoutAPoll() throws Exception {
        Watch watch = fixture().watch();
        Connection bystander = fixture().connection();
        watch.register(bystander.server(), 9, Interest.READ, Mode.EDGE);
        watch.expectNothingNow("an idle connection");
        Connection pair = fixture().connection();
        fixture().write(bystander.client(), "x");
        for (int i = 0; i < fixture().environment().rounds(1000); i++) {
            watch.register(pair.server(), i, Interest.READ_WRITE, Mode.EDGE);
            watch.poller().deregister(pair.server());
        }
        watch.register(pair.server(), -5, Interest.READ, Mode.EDGE);
        fixture().write(pair.client(), "y");
        watch.collect(List.of(9L, -5L), 4, "a bystander that became ready before, and the last registration");
        watch.expectNothingNow("both were reported");
    }

    @Rule("1.8")
    default void modifyReplacesTheKey() throws Exception {
        fixture().inEachMode(mode -> {
            Watch watch = fixture().watch();
            Connection pair = fixture().connection();
            watch.register(pair.server(), 1, Interest.READ_WRITE, mode);
            watch.expectWritable(1, "a fresh connection");
            watch.modify(pair.server(), 2, Interest.READ_WRITE, mode);
            watch.expectWritable(2, "a fresh connection after the key was replaced");
            watch.modify(pair.server(), 3, Interest.READ, mode);
            fixture().write(pair.client(), "x");
            watch.expectReadable(3, "the key was replaced together with the interest");
            watch.modify(pair.server(), 4, Interest.READ_WRITE, mode);
            Event event = watch.expect(4, "the key was replaced while both directions are ready");
            assertTrue(event.readable() && event.writable(), () -> event + " lacks a direction");
        });
    }

    @Rule("1.9")
    default void modifyReplacesTheInterest() throws Exception {
        fixture().inEachMode(mode -> {
            Watch watch = fixture().watch();
            Connection pair = fixture().connection();
            watch.register(pair.server(), 1, Interest.READ, mode);
            fixture().write(pair.client(), "x");
            watch.expectReadable(1, "a byte was written");
            watch.modify(pair.server(), 1, Interest.WRITE, mode);
            Event event = watch.expectWritable(1, "the interest was changed to WRITE");
            assertFalse(event.readable(), () -> event + " is readable, but WRITE is the interest");
            watch.modify(pair.server(), 1, Interest.READ, mode);
            Event again = watch.expectReadable(1, "the interest was changed back to READ");
            assertFalse(again.writable(), () -> again + " is writable, but READ is the interest");
        });
    }

    @Rule("1.10")
    default void bothDirectionsComeInOneEntry() throws Exception {
        fixture().inEachMode(mode -> {
            Watch watch = fixture().watch();
            Connection pair = fixture().connection();
            fixture().write(pair.client(), "y");
            watch.register(pair.server(), 1, Interest.READ, mode);
            watch.expectReadable(1, "a byte was written");
            watch.modify(pair.server(), 2, Interest.READ_WRITE, mode);
            Event event = watch.expect(2, "both directions are ready and both are watched");
            assertTrue(event.readable() && event.writable(), () -> event + " lacks a direction");
            watch.modify(pair.server(), 3, Interest.READ, mode);
            Event last = watch.expect(3, "one direction is watched again");
            assertTrue(last.readable() && !last.writable(), () -> last + " has the wrong directions");
        });
    }

    @Rule("1.11")
    default void anEmptyInterestReportsNothing() throws Exception {
        fixture().inEachMode(mode -> {
            Watch watch = fixture().watch();
            Connection pair = fixture().connection();
            watch.register(pair.server(), 1, Interest.NONE, mode);
            fixture().write(pair.client(), "x");
            watch.expectSilence("interest NONE, and a byte waits");
            Fixture.reset(pair.client());
            watch.expectSilence("interest NONE, and the peer has reset the connection");
            assertThrows(
                    AlreadyRegisteredException.class,
                    () -> watch.register(pair.server(), 2, Interest.READ, mode),
                    "a source with interest NONE is registered nevertheless");
            watch.modify(pair.server(), 3, Interest.READ, mode);
            watch.expectReadable(3, "the interest became READ");
            watch.modify(pair.server(), 3, Interest.NONE, mode);
            watch.expectSilence("the interest became NONE again");
            watch.poller().deregister(pair.server());
        });
    }

    @Rule("1.12")
    default void deregisterWithdrawsWhatIsPending() throws Exception {
        fixture().inEachMode(mode -> {
            Watch watch = fixture().watch();
            Connection pair = fixture().connection();
            watch.register(pair.server(), 1, Interest.READ_WRITE, mode);
            fixture().write(pair.client(), "x");
            watch.poller().deregister(pair.server());
            watch.expectSilence("deregistered while it was ready");
            fixture().write(pair.client(), "y");
            watch.expectSilence("data came after it was deregistered");
            Fixture.reset(pair.client());
            watch.expectSilence("the peer reset it after it was deregistered");
        });
    }

    @Rule("1.13")
    default void deregisterLeavesTheSourceOpen() throws Exception {
        Watch watch = fixture().watch();
        Connection pair = fixture().connection();
        watch.register(pair.server(), 1, Interest.READ, Mode.EDGE);
        watch.poller().deregister(pair.server());
        assertTrue(pair.server().isOpen(), "a deregistered source has to stay open");
        fixture().write(pair.client(), "ping");
        assertEquals("ping", fixture().readText(pair.server(), 4));
        fixture().write(pair.server(), "pong");
        assertEquals("pong", fixture().readText(pair.client(), 4));
    }

    @Rule("1.14")
    default void aSourceBelongsToOnePoller() throws Exception {
        Watch first = fixture().watch();
        Watch second = fixture().watch();
        Connection pair = fixture().connection();
        first.register(pair.server(), 1, Interest.READ, Mode.EDGE);
        AlreadyRegisteredException refused = assertThrows(
                AlreadyRegisteredException.class,
                () -> second.register(pair.server(), 2, Interest.READ, Mode.EDGE),
                "registering with a second poller");
        assertTrue(
                String.valueOf(refused.getMessage()).contains(first.poller().toString()),
                () -> "the message does not name the poller that has it: " + refused.getMessage());
        assertThrows(
                NotRegisteredException.class,
                () -> second.poller().deregister(pair.server()),
                "deregistering from a poller that does not have it");
        fixture().write(pair.client(), "x");
        first.expectReadable(1, "the first registration has to stay");
        second.expectSilence("the refused registration");
        first.poller().deregister(pair.server());
        second.register(pair.server(), 2, Interest.READ, Mode.EDGE);
        second.expectReadable(2, "registered with the second poller after the first let it go");
    }

    @Rule("1.15")
    default void keysComeBackBitForBit() throws Exception {
        Watch watch = fixture().watch();
        long[] keys = {0, 1, -1, -2, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32, 0xFFFF_FFFFL, -1L << 32, 1L << 63 | 1};
        for (long key : keys) {
            PipePair pipe = fixture().pipe();
            watch.register(pipe.reader(), key, Interest.READ, Mode.EDGE);
            fixture().write(pipe.writer(), "x");
            watch.expectReadable(key, "key " + Long.toHexString(key));
        }
        PipePair first = fixture().pipe();
        PipePair second = fixture().pipe();
        watch.register(first.reader(), 5, Interest.READ, Mode.EDGE);
        watch.register(second.reader(), 5, Interest.READ, Mode.EDGE);
        fixture().write(first.writer(), "x");
        fixture().write(second.writer(), "x");
        int reports = 0;
        while (reports < 2) {
            for (Event event : watch.pollSome("two sources of one key, " + reports + " reported so far")) {
                assertEquals(5, event.key());
                reports++;
            }
        }
        watch.expectNothingNow("both sources of key 5 were reported");
    }

    @Rule("1.16")
    default void aForeignSourceIsRefused() throws Exception {
        Watch watch = fixture().watch();
        ForeignSource foreign = new ForeignSource();
        ForeignSourceException refused = assertThrows(
                ForeignSourceException.class,
                () -> watch.register(foreign, 1, Interest.READ, Mode.EDGE),
                "registering a source of another provider");
        String message = String.valueOf(refused.getMessage());
        assertTrue(
                message.contains(ForeignSource.PROVIDER_NAME)
                        && message.contains(fixture().provider().name()),
                () -> "the message does not name both providers: " + message);
        PipePair pipe = fixture().pipe();
        watch.register(pipe.reader(), 1, Interest.READ, Mode.EDGE);
        fixture().write(pipe.writer(), "x");
        watch.expectReadable(1, "the poller has to work on after a refusal");
    }

    @Rule("1.17")
    default void aClosedSourceIsRefused() throws Exception {
        Watch watch = fixture().watch();
        for (int i = 0; i < 20; i++) {
            Connection pair = fixture().connection();
            pair.server().close();
            assertThrows(
                    SourceClosedException.class,
                    () -> watch.register(pair.server(), 1, Interest.READ, Mode.EDGE),
                    "registering a closed source");
            assertThrows(
                    NotRegisteredException.class,
                    () -> watch.poller().deregister(pair.server()),
                    "the refused registration must leave nothing behind");
            PipePair pipe = fixture().pipe();
            watch.register(pipe.reader(), 2, Interest.READ, Mode.EDGE);
            fixture().write(pipe.writer(), "x");
            watch.expectReadable(2, "a new source, perhaps with the closed one's descriptor");
            pipe.reader().close();
        }
    }

    @Rule("1.18")
    default void aClosedPollerRefusesEverything() throws Exception {
        Poller poller = fixture().poller();
        Connection pair = fixture().connection();
        Connection other = fixture().connection();
        poller.register(pair.server(), 1, Interest.READ, Mode.EDGE);
        assertTrue(poller.isOpen(), "an open poller says that it is closed");
        poller.close();
        assertFalse(poller.isOpen(), "a closed poller says that it is open");
        Class<PollerClosedException> closed = PollerClosedException.class;
        assertThrows(closed, () -> poller.register(other.server(), 1, Interest.READ, Mode.EDGE), "register");
        assertThrows(closed, () -> poller.modify(pair.server(), 1, Interest.READ, Mode.EDGE), "modify");
        assertThrows(closed, () -> poller.rearm(pair.server(), Interest.READ), "rearm");
        assertThrows(closed, () -> poller.deregister(pair.server()), "deregister");
        assertThrows(closed, () -> poller.poll(0), "poll(0)");
        assertThrows(closed, () -> poller.poll(Poller.FOREVER), "poll(FOREVER)");
        assertNotNull(poller.events(), "events() of a closed poller");
        poller.wakeup();
        poller.close();
        assertEquals(fixture().provider().name(), poller.provider().name(), "a closed poller still names its provider");
    }

    @Rule("1.19")
    default void closingThePollerLeavesTheSourcesOpen() throws Exception {
        fixture().inEachMode(mode -> {
            Watch first = fixture().watch();
            Connection pair = fixture().connection();
            ListenerSource listener = fixture().listener();
            first.register(pair.server(), 1, Interest.READ, mode);
            first.register(listener, 2, Interest.READ, mode);
            fixture().write(pair.client(), "x");
            first.poller().close();
            assertTrue(pair.server().isOpen() && listener.isOpen(), "sources were closed together with the poller");
            Watch second = fixture().watch();
            second.register(pair.server(), 3, Interest.READ, mode);
            second.register(listener, 4, Interest.READ, mode);
            second.expectReadable(3, "registered anew after the first poller was closed");
            assertEquals("x", fixture().readText(pair.server(), 1));
            fixture().connection(listener);
        });
    }

    @Rule("1.20")
    default void missingDirectionsAreRefused() throws Exception {
        Watch watch = fixture().watch();
        ListenerSource listener = fixture().listener();
        PipePair pipe = fixture().pipe();
        assertEquals(Interest.READ, listener.directions(), "directions of a listener");
        assertEquals(Interest.READ, pipe.reader().directions(), "directions of the reader of a pipe");
        assertEquals(Interest.WRITE, pipe.writer().directions(), "directions of the writer of a pipe");
        assertEquals(Interest.READ_WRITE, fixture().connection().client().directions(), "directions of a stream");
        for (Source source : List.of(listener, pipe.reader(), pipe.writer())) {
            Interest has = source.directions();
            Interest lacks = Interest.READ_WRITE.without(has);
            for (Interest wrong : List.of(lacks, Interest.READ_WRITE)) {
                assertThrows(
                        IllegalArgumentException.class,
                        () -> watch.register(source, 1, wrong, Mode.EDGE),
                        () -> "registering " + source + " for " + wrong);
            }
            watch.register(source, 1, has, Mode.EDGE);
            watch.poller().deregister(source);
        }
    }

    @Rule("1.21")
    default void aRefusedModifyChangesNothing() throws Exception {
        Watch watch = fixture().watch();
        PipePair pipe = fixture().pipe();
        watch.register(pipe.reader(), 1, Interest.READ, Mode.EDGE);
        assertThrows(
                IllegalArgumentException.class,
                () -> watch.modify(pipe.reader(), 2, Interest.READ_WRITE, Mode.EDGE),
                "modify to a direction that the source lacks");
        for (Mode mode : Mode.values()) {
            if (!fixture().has(mode)) {
                assertThrows(
                        UnsupportedOperationException.class,
                        () -> watch.modify(pipe.reader(), 2, Interest.READ, mode),
                        () -> "modify to mode " + mode);
            }
        }
        fixture().write(pipe.writer(), "x");
        watch.expectReadable(1, "after refused calls of modify");
    }

    @Rule("1.22")
    default void rearmIsCheckedAgainstTheRegistration() throws Exception {
        Watch watch = fixture().watch();
        Connection pair = fixture().connection();
        watch.register(pair.server(), 1, Interest.READ, Mode.EDGE);
        assertThrows(
                IllegalArgumentException.class,
                () -> watch.rearm(pair.server(), Interest.WRITE),
                "rearm of a direction that is not in the interest");
        watch.rearm(pair.server(), Interest.NONE);
        watch.rearm(pair.server(), Interest.READ);
        if (fixture().has(Mode.LEVEL)) {
            watch.modify(pair.server(), 1, Interest.READ, Mode.LEVEL);
            watch.rearm(pair.server(), Interest.READ);
        }
        if (fixture().has(Mode.ONE_SHOT)) {
            watch.modify(pair.server(), 1, Interest.READ, Mode.ONE_SHOT);
            assertThrows(
                    IllegalStateException.class,
                    () -> watch.rearm(pair.server(), Interest.READ),
                    "rearm in mode ONE_SHOT");
        }
        watch.expectSilence("an idle connection");
        fixture().write(pair.client(), "x");
        watch.expectReadable(1, "after all those calls of rearm");
    }

    @Rule("1.23")
    default void ofManyChangesTheLastCounts() throws Exception {
        fixture().inEachMode(mode -> {
            Watch watch = fixture().watch();
            Connection pair = fixture().connection();
            watch.register(pair.server(), 0, Interest.NONE, mode);
            fixture().write(pair.client(), "x");
            Interest[] interests = Interest.values();
            int changes = fixture().environment().rounds(10_000);
            for (int i = 1; i <= changes; i++) {
                watch.modify(pair.server(), i, interests[i % interests.length], mode);
            }
            watch.modify(pair.server(), -7, Interest.WRITE, mode);
            Event event = watch.expectWritable(-7, "the last of many changes");
            assertFalse(event.readable(), () -> event + " is readable, but WRITE was asked for last");
            for (int i = 1; i <= changes; i++) {
                watch.modify(pair.server(), i, interests[i % interests.length], mode);
            }
            watch.modify(pair.server(), -8, Interest.NONE, mode);
            watch.expectSilence("the last of many changes asked for nothing");
        });
    }

    @Rule("1.24")
    default void pollersReleaseTheirDescriptors() throws Exception {
        PipePair pipe = fixture().pipe();
        fixture().poller().close();
        int before = fixture().openDescriptors();
        for (int i = 0; i < fixture().environment().rounds(2000); i++) {
            try (Poller poller = fixture().provider().openPoller(4)) {
                poller.register(pipe.reader(), i, Interest.READ, Mode.EDGE);
                poller.wakeup();
                poller.poll(0);
            }
        }
        fixture().expectDescriptorsBackTo(before, 8, "pollers were opened and closed again and again");
    }

    @Rule("1.25")
    default void aPollerKnowsItsProviderAndCapacity() throws Exception {
        for (int wrong : new int[] {0, -1, Integer.MIN_VALUE}) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> fixture().poller(wrong),
                    () -> "a batch capacity of " + wrong);
        }
        for (int capacity : new int[] {1, 3, 1024}) {
            Poller poller = fixture().poller(capacity);
            assertEquals(capacity, poller.events().capacity(), "capacity of the batch");
            assertEquals(0, poller.events().size(), "size of the batch before the first poll");
            assertSame(poller.events(), poller.events(), "events() has to be the same object for life");
            assertEquals(fixture().provider().name(), poller.provider().name());
        }
        PipePair pipe = fixture().pipe();
        List<Source> sources =
                new ArrayList<>(List.of(pipe.reader(), pipe.writer(), fixture().listener()));
        Connection pair = fixture().connection();
        sources.add(pair.client());
        sources.add(pair.server());
        for (Source source : sources) {
            assertNotNull(source.provider(), () -> source + " has no provider");
            assertEquals(fixture().provider().name(), source.provider().name());
        }
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> fixture().poller().events().key(0),
                "an entry past the end");
    }

    @Rule("1.26")
    default void anIoFailureLeavesThePollerIntact() throws Exception {
        Watch watch = fixture().watch();
        Connection pair = fixture().connection();
        Connection other = fixture().connection();
        watch.register(pair.server(), 1, Interest.READ_WRITE, Mode.EDGE);
        watch.register(other.server(), 2, Interest.READ, Mode.EDGE);
        watch.expectWritable(1, "a fresh connection");
        Fixture.reset(pair.client());
        watch.awaitDirection(1, Interest.READ, "the peer reset the connection");
        assertThrows(IOException.class, () -> {
            fixture().await("the reset", () -> pair.server().read(ByteBuffer.allocate(8)) >= 0);
        });
        watch.poller().deregister(pair.server());
        pair.server().close();
        fixture().write(other.client(), "x");
        watch.expectReadable(2, "another source, after one was reset, deregistered and closed");
    }
}
