package io.thrust.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.thrust.poll.InputSource;
import io.thrust.poll.Interest;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.Mode;
import io.thrust.poll.PipePair;
import io.thrust.poll.StreamSource;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;

/** Chapter 2, readiness: what holds in edge mode, which every poller has. */
interface EdgeRules extends Chapter {

    @Rule("2.20")
    default void edgeDoesNotRepeat() throws Exception {
        Watch watch = fixture().watch();
        Connection pair = fixture().connection();
        watch.register(pair.server(), 1, Interest.READ, Mode.EDGE);
        fixture().write(pair.client(), "abc");
        watch.expectReadable(1, "data was written");
        watch.expectSilence("reported, and nobody read");
        assertEquals("a", fixture().readText(pair.server(), 1));
        watch.expectSilence("reported, and read in part");
        watch.expectSilence("still nothing new");
    }

    @Rule("2.21")
    default void newDataAfterWouldBlockIsReported() throws Exception {
        Watch watch = fixture().watch();
        Connection pair = fixture().connection();
        PipePair pipe = fixture().pipe();
        watch.register(pair.server(), 1, Interest.READ, Mode.EDGE);
        watch.register(pipe.reader(), 2, Interest.READ, Mode.EDGE);
        for (int i = 0; i < fixture().environment().rounds(200); i++) {
            fixture().write(pair.client(), "x");
            watch.expectReadable(1, "round " + i + " on a stream");
            Fixture.drain(pair.server());
            watch.rearm(pair.server(), Interest.READ);
            fixture().write(pipe.writer(), "y");
            watch.expectReadable(2, "round " + i + " on a pipe");
            Fixture.drain(pipe.reader());
            watch.rearm(pipe.reader(), Interest.READ);
        }
        watch.expectSilence("all was read");
    }

    @Rule("2.22")
    default void newDataAfterAShortReadIsReported() throws Exception {
        Watch watch = fixture().watch();
        Connection pair = fixture().connection();
        watch.register(pair.server(), 1, Interest.READ, Mode.EDGE);
        ByteBuffer buffer = ByteBuffer.allocate(64);
        for (int i = 0; i < fixture().environment().rounds(200); i++) {
            fixture().write(pair.client(), "data");
            Event event = watch.expectReadable(1, "round " + i);
            buffer.clear();
            int count = pair.server().read(buffer);
            assertTrue(count > 0, "a read after a report found nothing");
            while (count > 0 && (event.hangup() || !pair.server().isDrainedByShortRead())) {
                count = pair.server().read(buffer);
            }
            watch.rearm(pair.server(), Interest.READ);
        }
        watch.settle(1, "all was read");
    }

    @Rule("2.23")
    default void dataThatComesBeforeRearmIsReported() throws Exception {
        Watch watch = fixture().watch();
        Connection pair = fixture().connection();
        PipePair pipe = fixture().pipe();
        for (InputSource source : List.of(pair.server(), pipe.reader())) {
            var writer = source == pipe.reader() ? pipe.writer() : pair.client();
            watch.register(source, 1, Interest.READ, Mode.EDGE);
            for (int i = 0; i < fixture().environment().rounds(100); i++) {
                fixture().write(writer, "x");
                watch.expectReadable(1, "round " + i);
                Fixture.drain(source);
                // It comes between the operation that would have blocked and the rearm.
                fixture().write(writer, "y");
                watch.rearm(source, Interest.READ);
                watch.expectReadable(1, "data that came between would-block and rearm, round " + i);
                fixture().read(source, 1);
                assertEquals(InputSource.WOULD_BLOCK, source.read(ByteBuffer.allocate(1)));
                watch.rearm(source, Interest.READ);
            }
            watch.poller().deregister(source);
        }
    }

    @Rule("2.24")
    default void modifyLooksAtTheReadinessAnew() throws Exception {
        Watch watch = fixture().watch();
        Connection pair = fixture().connection();
        watch.register(pair.server(), 1, Interest.READ, Mode.EDGE);
        fixture().write(pair.client(), "x");
        watch.expectReadable(1, "data was written");
        for (int i = 0; i < 3; i++) {
            watch.modify(pair.server(), 1, Interest.READ, Mode.EDGE);
            watch.expectReadable(1, "modify with the same values, and data waits");
            watch.modify(pair.server(), 2, Interest.READ_WRITE, Mode.EDGE);
            Event event = watch.expect(2, "modify to both directions, and both are ready");
            assertTrue(event.readable() && event.writable(), () -> event + " lacks a direction");
            watch.modify(pair.server(), 1, Interest.READ, Mode.EDGE);
            watch.expectReadable(1, "modify back, and data waits");
        }
        Fixture.drain(pair.server());
        watch.modify(pair.server(), 1, Interest.READ, Mode.EDGE);
        watch.expectSilence("modify, and nothing waits");
    }

    @Rule(value = "2.25", level = Level.MAY)
    default void newDataAfterAPartialReadMayBeReported() throws Exception {
        Watch watch = fixture().watch();
        Connection pair = fixture().connection();
        watch.register(pair.server(), 1, Interest.READ, Mode.EDGE);
        fixture().write(pair.client(), "ab");
        watch.expectReadable(1, "data was written");
        assertEquals("a", fixture().readText(pair.server(), 1));
        fixture().write(pair.client(), "c");
        List<Event> events = watch.poll(fixture().environment().silenceNanos());
        Assumptions.assumeFalse(
                events.isEmpty(), "new data after a partial read is not reported without a rearm, as it may be");
        assertEquals(1, events.get(0).key(), "key of the report");
        assertEquals("bc", fixture().readText(pair.server(), 2), "nothing may be lost");
    }

    @Rule("2.26")
    default void roomAfterWouldBlockIsReported() throws Exception {
        Watch watch = fixture().watch();
        Connection pair = fixture().narrowConnection();
        watch.register(pair.client(), 1, Interest.WRITE, Mode.EDGE);
        watch.expectWritable(1, "a fresh connection");
        for (int i = 0; i < 5; i++) {
            watch.fillUntilSilent(1, pair.client(), "the send buffer is full, round " + i);
            watch.expectNothingNow("the send buffer is full, round " + i);
            Helper reader = fixture().helper("tck-reader", () -> drainUntilRoom(pair));
            watch.expectWritable(1, "the peer reads, round " + i);
            reader.join();
            assertTrue(Fixture.fill(pair.client()) > 0, "reported as writable, but there is no room");
        }
    }

    private void drainUntilRoom(Connection pair) throws IOException {
        int quiet = 0;
        while (quiet < 3) {
            quiet = Fixture.drain(pair.server()) == 0 ? quiet + 1 : 0;
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Rule("2.27")
    default void directionsAreIndependent() throws Exception {
        Watch watch = fixture().watch();
        Connection pair = fixture().narrowConnection();
        watch.register(pair.client(), 1, Interest.READ_WRITE, Mode.EDGE);
        watch.expectWritable(1, "a fresh connection");
        // A report of one direction leaves the other one armed.
        fixture().write(pair.server(), "x");
        watch.expectReadable(1, "a byte came after writing was reported and not rearmed");
        Fixture.drain(pair.client());
        watch.rearm(pair.client(), Interest.READ);
        watch.fillUntilSilent(1, pair.client(), "nothing is to read, and the send buffer is full");
        // Reading goes on for several rounds while writing stays blocked and armed.
        for (int i = 0; i < 5; i++) {
            fixture().write(pair.server(), "y");
            Event event = watch.expectReadable(1, "a byte came while the send buffer is full, round " + i);
            if (event.writable()) {
                watch.fillUntilSilent(1, pair.client(), event + " came while the send buffer is full");
            }
            Fixture.drain(pair.client());
            watch.rearm(pair.client(), Interest.READ);
        }
        Helper reader = fixture().helper("tck-reader", () -> drainUntilRoom(pair));
        watch.awaitDirection(1, Interest.WRITE, "room came; rearm(READ) must not have taken the rearm of WRITE away");
        reader.join();
    }

    @Rule("2.28")
    default void theEndBehindDataIsNeverSilent() throws Exception {
        for (int round = 0; round < fixture().environment().rounds(30); round++) {
            Watch watch = fixture().watch();
            Connection pair = fixture().connection();
            if (round % 3 != 0) {
                watch.register(pair.server(), 1, Interest.READ, Mode.EDGE);
            }
            fixture().write(pair.client(), "abc");
            if (round % 2 == 0) {
                pair.client().shutdownOutput();
            } else {
                pair.client().close();
            }
            if (round % 3 == 0) {
                watch.register(pair.server(), 1, Interest.READ, Mode.EDGE);
            }
            assertEquals("abc", readByContract(watch, pair.server(), "data and the end of stream in one edge"));
            watch.poller().close();
        }
    }

    /** Reads to the end of stream as a caller does who trusts short reads where the contract lets him. */
    private String readByContract(Watch watch, StreamSource source, String what) throws IOException {
        StringBuilder text = new StringBuilder();
        ByteBuffer buffer = ByteBuffer.allocate(64);
        boolean hangup = false;
        while (true) {
            Event event = watch.expectReadable(1, what + ", after \"" + text + "\"");
            hangup |= event.hangup();
            while (true) {
                buffer.clear();
                int count = source.read(buffer);
                if (count == InputSource.END_OF_STREAM) {
                    return text.toString();
                }
                if (count > 0) {
                    text.append(new String(buffer.array(), 0, count, StandardCharsets.US_ASCII));
                }
                boolean drained = count < buffer.capacity() && source.isDrainedByShortRead() && !hangup;
                if (count == InputSource.WOULD_BLOCK || drained) {
                    watch.rearm(source, Interest.READ);
                    break;
                }
            }
        }
    }

    @Rule("2.29")
    default void urgentDataDoesNotHideWhatFollows() throws Exception {
        ListenerSource listener = fixture().listener();
        Assumptions.assumeTrue(
                listener.localAddress() instanceof InetSocketAddress, "the listener has no internet address");
        try (Socket peer = new Socket()) {
            try {
                peer.connect(listener.localAddress(), (int)
                        fixture().environment().patience().toMillis());
            } catch (IOException e) {
                Assumptions.abort("a java.net.Socket cannot reach a listener of this provider: " + e);
            }
            peer.setTcpNoDelay(true);
            StreamSource server = fixture().accept(listener);
            Watch watch = fixture().watch();
            watch.register(server, 1, Interest.READ, Mode.EDGE);
            watch.expectNothingNow("an idle connection");
            peer.getOutputStream().write("abc".getBytes(StandardCharsets.US_ASCII));
            peer.sendUrgentData('d');
            peer.getOutputStream().write("efg".getBytes(StandardCharsets.US_ASCII));
            peer.shutdownOutput();
            assertEquals("abcefg", readByContract(watch, server, "data, an urgent byte, data and the end of stream"));
        }
    }

    @Rule("2.30")
    default void aBlockedWriterLearnsOfAReset() throws Exception {
        Watch watch = fixture().watch();
        Connection pair = fixture().narrowConnection();
        watch.register(pair.server(), 1, Interest.READ_WRITE, Mode.EDGE);
        watch.expectWritable(1, "a fresh connection");
        watch.fillUntilSilent(1, pair.server(), "the send buffer is full");
        Fixture.reset(pair.client());
        watch.awaitDirection(1, Interest.WRITE, "the peer reset the connection while a writer waits for room");
        assertThrows(IOException.class, () -> Fixture.fill(pair.server()), "a write after a reset");
    }

    @Rule("2.31")
    default void listenersInEdgeModeLoseNoConnection() throws Exception {
        Watch watch = fixture().watch();
        ListenerSource listener = fixture().listener();
        watch.register(listener, 1, Interest.READ, Mode.EDGE);
        // One by one: each depends on the rearm before it.
        for (int i = 0; i < 5; i++) {
            fixture().awaitConnected(fixture().connect(listener.localAddress()));
            watch.expectReadable(1, "a connection waits, the " + i + " before it were accepted and rearmed");
            fixture().accept(listener);
            assertEquals(null, listener.accept(), "accept with no connection waiting");
            watch.rearm(listener, Interest.READ);
        }
        // In a stream: some come between the empty accept and rearm.
        int connections = fixture().environment().rounds(200);
        Helper client = fixture().helper("tck-client", () -> {
            for (int i = 0; i < connections; i++) {
                StreamSource stream = fixture().connect(listener.localAddress());
                fixture().awaitConnected(stream);
                stream.close();
            }
        });
        int accepted = 0;
        while (accepted < connections) {
            watch.expectReadable(1, "connections come in, " + accepted + " of " + connections + " so far");
            StreamSource stream;
            while ((stream = listener.accept()) != null) {
                stream.close();
                accepted++;
            }
            watch.rearm(listener, Interest.READ);
        }
        client.join();
        assertEquals(connections, accepted, "accepted connections");
    }

    @Rule("2.32")
    default void aPingPongOfManyRoundsNeverStalls() throws Exception {
        Watch watch = fixture().watch();
        Connection pair = fixture().connection();
        watch.register(pair.server(), 1, Interest.READ, Mode.EDGE);
        watch.register(pair.client(), 2, Interest.READ, Mode.EDGE);
        ByteBuffer buffer = ByteBuffer.allocate(16);
        pair.client().write(ByteBuffer.wrap(new byte[] {0}));
        int rounds = fixture().environment().rounds(5000);
        for (int done = 0; done < rounds; ) {
            for (Event event : watch.pollSome("ping-pong, round " + done + " of " + rounds)) {
                StreamSource source = event.key() == 1 ? pair.server() : pair.client();
                buffer.clear();
                int count = source.read(buffer);
                if (count == InputSource.END_OF_STREAM) {
                    fail("the end of stream came in the middle, round " + done);
                }
                boolean sent = count <= 0 || source.write(ByteBuffer.wrap(new byte[] {1})) == 1;
                assertTrue(sent, "no room for one byte");
                done += count > 0 ? 1 : 0;
                while (count > 0) {
                    buffer.clear();
                    count = source.read(buffer);
                }
                watch.rearm(source, Interest.READ);
            }
        }
    }
}
