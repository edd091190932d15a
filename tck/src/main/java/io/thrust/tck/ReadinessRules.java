package io.thrust.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thrust.poll.AlreadyRegisteredException;
import io.thrust.poll.BrokenPipeException;
import io.thrust.poll.ConnectionResetException;
import io.thrust.poll.InputSource;
import io.thrust.poll.Interest;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.Mode;
import io.thrust.poll.NotRegisteredException;
import io.thrust.poll.PipePair;
import io.thrust.poll.Poller;
import io.thrust.poll.StreamSource;
import io.thrust.poll.UnsupportedModeException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Chapter 2, readiness: what holds in every mode, in level mode and in one-shot mode. */
interface ReadinessRules extends Chapter {

    @Rule("2.1")
    default void onlyReadyDirectionsAreReported() throws Exception {
        fixture().inEachMode(mode -> {
            Watch watch = fixture().watch();
            Connection pair = fixture().connection();
            watch.register(pair.server(), 1, Interest.READ_WRITE, mode);
            Event event = watch.expectWritable(1, "a fresh connection is writable");
            assertFalse(event.readable(), () -> event + " is readable, but nothing was written to it");
            assertFalse(event.hangup(), () -> event + " is a hang-up of a live connection");
            watch.poller().deregister(pair.server());
            Connection full = fixture().narrowConnection();
            watch.registerFull(full.server(), 2, Interest.READ_WRITE, mode);
            fixture().write(full.client(), "x");
            Event other = watch.expectReadable(2, "a connection with a full send buffer and a byte to read");
            for (int i = 0; i < 1000 && other.writable(); i++) {
                // The system may have moved bytes on since: then there is room indeed.
                String what = other + " is writable, but its send buffer is full";
                assertTrue(Fixture.fill(full.server()) > 0, what);
                watch.modify(full.server(), 2, Interest.READ_WRITE, mode);
                other = watch.expectReadable(2, "a connection with a full send buffer and a byte to read");
            }
            assertFalse(other.writable(), other + " is writable, however often its send buffer is filled");
        });
    }

    @Rule("2.2")
    default void levelRepeatsUntilDrained() throws Exception {
        fixture().assumeMode(Mode.LEVEL);
        Watch watch = fixture().watch();
        Connection pair = fixture().connection();
        watch.register(pair.server(), 1, Interest.READ, Mode.LEVEL);
        fixture().write(pair.client(), "abc");
        for (char expected : "abc".toCharArray()) {
            for (int i = 0; i < 3; i++) {
                watch.expectReadable(1, "data remains, in mode LEVEL");
            }
            assertEquals(String.valueOf(expected), fixture().readText(pair.server(), 1));
        }
        watch.expectSilence("all was read, in mode LEVEL");
        fixture().write(pair.client(), "d");
        watch.expectReadable(1, "new data after silence, in mode LEVEL");
        watch.modify(pair.server(), 1, Interest.WRITE, Mode.LEVEL);
        for (int i = 0; i < 3; i++) {
            watch.expectWritable(1, "room remains, in mode LEVEL");
        }
    }

    @Rule("2.3")
    default void oneShotReportsOnceUntilModified() throws Exception {
        fixture().assumeMode(Mode.ONE_SHOT);
        Watch watch = fixture().watch();
        Connection pair = fixture().connection();
        watch.register(pair.server(), 1, Interest.READ, Mode.ONE_SHOT);
        for (int i = 1; i <= 3; i++) {
            fixture().write(pair.client(), "x");
            watch.expectReadable(i, "a byte was written, in mode ONE_SHOT");
            watch.expectSilence("reported once, in mode ONE_SHOT");
            fixture().write(pair.client(), "y");
            watch.expectSilence("more data after the one report, in mode ONE_SHOT");
            watch.modify(pair.server(), i + 1, Interest.READ, Mode.ONE_SHOT);
            watch.expectReadable(i + 1, "armed again while data waits, in mode ONE_SHOT");
            Fixture.drain(pair.server());
            watch.modify(pair.server(), i + 1, Interest.READ, Mode.ONE_SHOT);
            watch.expectSilence("armed again after all was read, in mode ONE_SHOT");
        }
    }

    @Rule("2.4")
    default void oneShotDisarmsBothDirections() throws Exception {
        fixture().assumeMode(Mode.ONE_SHOT);
        Watch watch = fixture().watch();
        Connection pair = fixture().connection();
        watch.register(pair.server(), 1, Interest.READ_WRITE, Mode.ONE_SHOT);
        watch.expectWritable(1, "a fresh connection, in mode ONE_SHOT");
        fixture().write(pair.client(), "x");
        watch.expectSilence("the report of one direction has to disarm reading too");

        Connection full = fixture().narrowConnection();
        watch.registerFull(full.server(), 2, Interest.READ_WRITE, Mode.ONE_SHOT);
        fixture().write(full.client(), "x");
        watch.expectReadable(2, "a byte was written, in mode ONE_SHOT");
        Fixture.drain(full.client());
        watch.expectSilence("the report of one direction has to disarm writing too");
        watch.modify(full.server(), 3, Interest.READ_WRITE, Mode.ONE_SHOT);
        watch.expectReadable(3, "armed again by modify");
    }

    @Rule("2.5")
    default void oneShotStaysRegistered() throws Exception {
        fixture().assumeMode(Mode.ONE_SHOT);
        Watch watch = fixture().watch();
        Connection pair = fixture().connection();
        watch.register(pair.server(), 1, Interest.READ_WRITE, Mode.ONE_SHOT);
        watch.expectWritable(1, "a fresh connection, in mode ONE_SHOT");
        assertThrows(
                AlreadyRegisteredException.class,
                () -> watch.register(pair.server(), 2, Interest.READ, Mode.ONE_SHOT),
                "it stays registered after its report");
        watch.poller().deregister(pair.server());
        assertThrows(
                NotRegisteredException.class, () -> watch.poller().deregister(pair.server()), "the second deregister");
        watch.register(pair.server(), 3, Interest.WRITE, Mode.ONE_SHOT);
        watch.expectWritable(3, "registered again, in mode ONE_SHOT");
        watch.poller().deregister(pair.server());
    }

    @Rule("2.6")
    default void modifyReplacesTheMode() throws Exception {
        for (Mode from : Mode.values()) {
            for (Mode to : Mode.values()) {
                if (fixture().has(from) && fixture().has(to)) {
                    String what = "modified from mode " + from + " to " + to;
                    Watch watch = fixture().watch();
                    Connection pair = fixture().connection();
                    watch.register(pair.server(), 1, Interest.READ, from);
                    fixture().write(pair.client(), "x");
                    watch.expectReadable(1, what);
                    watch.modify(pair.server(), 2, Interest.READ, to);
                    watch.expectReadable(2, what);
                    if (to == Mode.LEVEL) {
                        watch.expectReadable(2, what);
                    } else {
                        watch.expectSilence(what);
                    }
                    fixture().write(pair.client(), "y");
                    if (to == Mode.ONE_SHOT) {
                        watch.expectSilence(what + ", new data");
                    }
                    Fixture.drain(pair.server());
                }
            }
        }
    }

    @Rule("2.7")
    default void undeclaredModesAreRefused() throws Exception {
        Watch watch = fixture().watch();
        PipePair pipe = fixture().pipe();
        for (Mode mode : Mode.values()) {
            if (fixture().has(mode)) {
                watch.register(pipe.reader(), 1, Interest.READ, mode);
            } else {
                UnsupportedModeException refused = assertThrows(
                        UnsupportedModeException.class,
                        () -> watch.register(pipe.reader(), 1, Interest.READ, mode),
                        () -> "mode " + mode + " is not declared");
                for (Mode declared : fixture().provider().modes()) {
                    assertTrue(
                            String.valueOf(refused.getMessage()).contains(declared.name()),
                            () -> "the message does not list " + declared + ": " + refused.getMessage());
                }
                watch.register(pipe.reader(), 1, Interest.READ, Mode.EDGE);
                assertThrows(
                        UnsupportedModeException.class,
                        () -> watch.modify(pipe.reader(), 1, Interest.READ, mode),
                        () -> "mode " + mode + " is not declared");
            }
            watch.poller().deregister(pipe.reader());
        }
    }

    @Rule("2.8")
    default void endOfStreamIsReadable() throws Exception {
        fixture().inEachMode(mode -> {
            for (boolean before : new boolean[] {true, false}) {
                String what = "the peer closed " + (before ? "before" : "after") + " the registration";
                Connection pair = fixture().connection();
                PipePair pipe = fixture().pipe();
                Watch watch = fixture().watch();
                if (before) {
                    pair.client().close();
                    pipe.writer().close();
                    fixture().readEnd(pair.server());
                }
                watch.register(pair.server(), 1, Interest.READ, mode);
                if (!before) {
                    watch.expectNothingNow("an idle connection");
                    pair.client().shutdownOutput();
                }
                watch.expectReadable(1, what);
                fixture().readEnd(pair.server());
                watch.poller().deregister(pair.server());

                watch.register(pipe.reader(), 2, Interest.READ, mode);
                if (!before) {
                    watch.expectNothingNow("an idle pipe");
                    pipe.writer().close();
                }
                watch.expectReadable(2, "the writer of a pipe was closed with nothing written");
                fixture().readEnd(pipe.reader());
            }
        });
    }

    @Rule("2.9")
    default void endOfStreamDoesNotSpin() throws Exception {
        fixture().inEachMode(mode -> {
            Watch watch = fixture().watch();
            Connection pair = fixture().connection();
            watch.register(pair.server(), 1, Interest.READ, mode);
            pair.client().shutdownOutput();
            watch.expectReadable(1, "the peer ended its output");
            fixture().readEnd(pair.server());
            if (mode == Mode.LEVEL) {
                for (int i = 0; i < 3; i++) {
                    watch.expectReadable(1, "the end of stream lasts, in mode LEVEL");
                }
                watch.modify(pair.server(), 1, Interest.NONE, mode);
                watch.expectSilence("nothing is asked for after the end of stream");
            } else {
                watch.settle(3, "the end of stream was read and nobody asked again");
            }
            watch.modify(pair.server(), 2, Interest.WRITE, mode);
            Event event = watch.expectWritable(2, "a half-closed connection stays writable");
            assertFalse(event.readable(), () -> event + " is readable, but WRITE is the interest");
            if (mode != Mode.LEVEL) {
                watch.settle(3, "writing was reported and nobody asked again");
            }
            fixture().write(pair.server(), "answer");
            assertEquals("answer", fixture().readText(pair.client(), 6));
        });
    }

    @Rule("2.10")
    default void aResetIsReported() throws Exception {
        fixture().inEachMode(mode -> {
            for (Interest interest : List.of(Interest.READ, Interest.WRITE, Interest.READ_WRITE)) {
                Watch watch = fixture().watch();
                Connection pair = fixture().narrowConnection();
                if (interest.includesWrite()) {
                    watch.registerFull(pair.server(), 1, interest, mode);
                } else {
                    watch.register(pair.server(), 1, interest, mode);
                    watch.expectNothingNow("nothing is to read");
                }
                Fixture.reset(pair.client());
                Event event = watch.expect(1, "the peer reset the connection, interest " + interest);
                assertTrue(
                        interest.includes(Interest.of(event.readable(), event.writable())),
                        () -> event + " has a direction outside of interest " + interest);
                if (interest == Interest.WRITE) {
                    assertThrows(IOException.class, () -> Fixture.fill(pair.server()), "a write after a reset");
                } else {
                    assertThrows(
                            ConnectionResetException.class, () -> Fixture.drain(pair.server()), "a read after a reset");
                }
                if (mode != Mode.LEVEL) {
                    watch.settle(4, "a reset was reported and nobody asked again");
                }
                watch.poller().deregister(pair.server());
            }
        });
    }

    @Rule("2.11")
    default void aPipeWithoutReaderIsReportedToItsWriter() throws Exception {
        fixture().inEachMode(mode -> {
            for (boolean before : new boolean[] {true, false}) {
                Watch watch = fixture().watch();
                PipePair pipe = fixture().pipe();
                Fixture.fill(pipe.writer());
                if (before) {
                    pipe.reader().close();
                }
                watch.register(pipe.writer(), 1, Interest.WRITE, mode);
                if (!before) {
                    watch.expectNothingNow("a full pipe");
                    pipe.reader().close();
                }
                watch.expectWritable(
                        1, "the reader of a pipe was closed " + (before ? "before" : "after") + " the registration");
                assertThrows(
                        BrokenPipeException.class,
                        () -> pipe.writer().write(ByteBuffer.allocate(1)),
                        "a write to a pipe without reader");
                watch.poller().deregister(pipe.writer());
            }
        });
    }

    @Rule("2.12")
    default void listenersAreReadableWhileConnectionsWait() throws Exception {
        fixture().inEachMode(mode -> {
            Watch watch = fixture().watch();
            ListenerSource listener = fixture().listener();
            watch.register(listener, 1, Interest.READ, mode);
            watch.expectSilence("nobody connects");
            fixture().awaitConnected(fixture().connect(listener.localAddress()));
            fixture().awaitConnected(fixture().connect(listener.localAddress()));
            Event event = watch.expectReadable(1, "two connections wait");
            assertFalse(event.writable(), () -> event + " is writable, but a listener has no such direction");
            fixture().accept(listener);
            if (mode == Mode.LEVEL) {
                watch.expectReadable(1, "one of two connections still waits, in mode LEVEL");
            }
            fixture().accept(listener);
            assertEquals(null, listener.accept(), "accept with no connection waiting");
            if (mode == Mode.LEVEL) {
                watch.expectSilence("all connections were accepted");
            } else if (mode == Mode.EDGE) {
                watch.settle(2, "all connections were accepted");
                watch.rearm(listener, Interest.READ);
            } else {
                watch.modify(listener, 1, Interest.READ, mode);
            }
            fixture().awaitConnected(fixture().connect(listener.localAddress()));
            watch.expectReadable(1, "a third connection waits");
            fixture().accept(listener);
        });
    }

    @Rule("2.13")
    default void whatDoesNotFitIntoABatchComesLater() throws Exception {
        fixture().inEachMode(mode -> {
            for (int capacity : new int[] {1, 3, 16}) {
                Watch watch = fixture().watch(capacity);
                List<PipePair> pipes = new ArrayList<>();
                List<Long> keys = new ArrayList<>();
                for (long key = 0; key < 40; key++) {
                    PipePair pipe = fixture().pipe();
                    pipes.add(pipe);
                    keys.add(key);
                    watch.register(pipe.reader(), key, Interest.READ, mode);
                    fixture().write(pipe.writer(), "x");
                }
                String what = "40 sources are ready, the capacity is " + capacity;
                Set<Long> seen = new HashSet<>();
                int polls = 0;
                while (seen.size() < 40) {
                    int now = ++polls;
                    assertTrue(now <= 400, () -> what + ": only " + seen.size() + " were reported within 400 polls");
                    for (Event event : watch.pollSome(what + ", " + seen.size() + " reported so far")) {
                        assertTrue(keys.contains(event.key()), () -> what + ": unexpected " + event);
                        boolean first = seen.add(event.key());
                        assertTrue(
                                first || mode == Mode.LEVEL,
                                () -> what + ": " + event + " came twice though nobody consumed it");
                    }
                }
                for (PipePair pipe : pipes) {
                    pipe.reader().close();
                }
            }
        });
    }

    @Rule("2.14")
    default void aThousandReadySourcesAreAllReported() throws Exception {
        int sources = 1000;
        Watch watch = fixture().watch(sources + 24);
        List<Long> keys = new ArrayList<>();
        for (long key = 0; key < sources; key++) {
            PipePair pipe = fixture().pipe();
            keys.add(key);
            watch.register(pipe.reader(), key, Interest.READ, Mode.EDGE);
            fixture().write(pipe.writer(), "x");
        }
        Map<Long, Integer> seen = watch.collect(keys, 50, sources + " sources became ready before one poll");
        seen.forEach((key, times) -> assertEquals(1, times, "reports of key " + key));
        watch.expectNothingNow("each source was reported");
    }

    @Rule("2.15")
    default void eachOfManyIsReportedWithItsOwnKey() throws Exception {
        fixture().inEachMode(mode -> {
            Watch watch = fixture().watch(128);
            ListenerSource listener = fixture().listener();
            List<Connection> pairs = new ArrayList<>();
            List<Integer> order = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                pairs.add(fixture().connection(listener));
                order.add(i);
                watch.register(pairs.get(i).server(), i * 1_000_003L, Interest.READ, mode);
            }
            watch.expectNothingNow("100 idle connections");
            Collections.shuffle(order, new Random(fixture().environment().seed()));
            for (int i : order) {
                fixture().write(pairs.get(i).client(), Character.toString('0' + i % 10));
                Event event = watch.expectReadable(i * 1_000_003L, "connection " + i + " of 100");
                assertFalse(event.writable(), () -> event + " is writable, but READ is the interest");
                assertEquals(
                        Character.toString('0' + i % 10),
                        fixture().readText(pairs.get(i).server(), 1));
            }
            watch.expectNothingNow("100 connections were reported once each");
        });
    }

    @Rule("2.16")
    default void aPollDiscardsTheFormerBatch() throws Exception {
        Watch watch = fixture().watch();
        for (long key = 0; key < 10; key++) {
            PipePair pipe = fixture().pipe();
            watch.register(pipe.reader(), key, Interest.READ, Mode.EDGE);
            fixture().write(pipe.writer(), "x");
        }
        watch.collect(List.of(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L), 10, "ten ready pipes");
        PipePair last = fixture().pipe();
        watch.register(last.reader(), 77, Interest.READ, Mode.EDGE);
        fixture().write(last.writer(), "x");
        watch.expectReadable(77, "the batch must hold what this poll fetched and nothing else");
        assertEquals(0, watch.poller().poll(0), "nothing is ready any more");
        assertEquals(0, watch.poller().events().size(), "the batch has to be empty after a poll that fetched nothing");
    }

    @Rule("2.17")
    default void aReadySourceIsNotStarvedByOthers() throws Exception {
        fixture().assumeMode(Mode.LEVEL);
        Poller poller = fixture().poller(4);
        Watch watch = new Watch(fixture(), poller);
        List<Long> keys = new ArrayList<>();
        for (long key = 0; key < 32; key++) {
            PipePair pipe = fixture().pipe();
            fixture().write(pipe.writer(), "x");
            watch.register(pipe.reader(), key, Interest.READ, Mode.LEVEL);
            keys.add(key);
        }
        for (int round = 0; round < 3; round++) {
            watch.collect(keys, 32 * 4, "32 sources are always ready in mode LEVEL, the capacity is 4, round " + round);
        }
    }

    @Rule("2.18")
    default void dataBeforeTheEndIsReadFirst() throws Exception {
        byte[] sent = new byte[64 << 10];
        new Random(fixture().environment().seed()).nextBytes(sent);
        fixture().inEachMode(mode -> {
            // All of it, and the end, before anybody looks.
            Watch watch = fixture().watch();
            Connection pair = fixture().connection();
            watch.register(pair.server(), 1, Interest.READ, mode);
            int fitted = Math.max(pair.client().write(ByteBuffer.wrap(sent)), 0);
            pair.client().close();
            expectThenEnd(watch, pair.server(), mode, Arrays.copyOf(sent, fitted));

            // The end comes while the data is read.
            Watch next = fixture().watch();
            Connection other = fixture().connection();
            Helper writer = fixture().helper("tck-writer", () -> {
                fixture().write(other.client(), sent);
                other.client().close();
            });
            next.register(other.server(), 1, Interest.READ, mode);
            expectThenEnd(next, other.server(), mode, sent);
            writer.join();
        });
    }

    /** Reads what the reports of key 1 allow, up to the end of stream; it must be these bytes. */
    private void expectThenEnd(Watch watch, StreamSource source, Mode mode, byte[] sent) throws IOException {
        byte[] received = new byte[sent.length];
        int count = 0;
        ByteBuffer buffer = ByteBuffer.allocate(1024);
        while (true) {
            watch.expectReadable(1, sent.length + " bytes and the end of stream, after " + count + " bytes");
            int got = 0;
            // Mode LEVEL reads once per report; the others read until it would block.
            do {
                buffer.clear();
                got = source.read(buffer);
                if (got > 0) {
                    buffer.flip();
                    assertTrue(count + got <= received.length, "more bytes came than were sent");
                    buffer.get(received, count, got);
                    count += got;
                }
            } while (got > 0 && mode != Mode.LEVEL);
            if (got == InputSource.END_OF_STREAM) {
                break;
            }
            if (mode == Mode.EDGE) {
                watch.rearm(source, Interest.READ);
            } else if (mode == Mode.ONE_SHOT) {
                watch.modify(source, 1, Interest.READ, mode);
            }
        }
        assertEquals(sent.length, count, "bytes before the end of stream");
        assertTrue(Arrays.equals(sent, received), "the bytes differ from those sent");
    }
}
