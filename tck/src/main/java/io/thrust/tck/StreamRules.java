package io.thrust.tck;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thrust.poll.BrokenPipeException;
import io.thrust.poll.ConnectOptions;
import io.thrust.poll.ConnectionResetException;
import io.thrust.poll.InputSource;
import io.thrust.poll.Interest;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.Mode;
import io.thrust.poll.PipePair;
import io.thrust.poll.SourceClosedException;
import io.thrust.poll.StreamSource;
import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Assumptions;

/** Chapter 5, streams and listeners: what goes through a stream or a pipe, and how it ends. */
interface StreamRules extends Chapter {

    @Rule("5.20")
    default void halfCloseEndsOneDirection() throws Exception {
        Connection pair = fixture().connection();
        fixture().write(pair.client(), "question");
        pair.client().shutdownOutput();
        assertEquals("question", fixture().readText(pair.server(), 8));
        fixture().readEnd(pair.server());
        fixture().readEnd(pair.server());
        fixture().write(pair.server(), "answer");
        assertEquals("answer", fixture().readText(pair.client(), 6));
        pair.server().close();
        fixture().readEnd(pair.client());
    }

    @Rule("5.21")
    default void aResetIsReadAsAReset() throws Exception {
        Connection pair = fixture().connection();
        Fixture.reset(pair.client());
        assertThrows(
                ConnectionResetException.class,
                () -> fixture().await("the reset", () -> {
                    int count = pair.server().read(ByteBuffer.allocate(8));
                    assertFalse(count == InputSource.END_OF_STREAM, "a reset was read as the end of the stream");
                    return false;
                }),
                "a read after the peer reset the connection");
        pair.server().shutdownOutput();
        pair.server().shutdownOutput();
    }

    @Rule("5.22")
    default void writingToAGonePeerFails() throws Exception {
        Connection pair = fixture().connection();
        pair.server().close();
        IOException failure = assertThrows(
                IOException.class,
                () -> fixture().await("the failure of a write", () -> {
                    pair.client().write(ByteBuffer.wrap(new byte[] {1}));
                    return false;
                }),
                "writes after the peer closed the connection");
        assertTrue(
                failure instanceof BrokenPipeException || failure instanceof ConnectionResetException,
                () -> "a write to a peer that is gone threw " + failure);
        PipePair pipe = fixture().pipe();
        pipe.reader().close();
        assertThrows(
                BrokenPipeException.class,
                () -> pipe.writer().write(ByteBuffer.wrap(new byte[] {1})),
                "a write to a pipe without reader");
    }

    @Rule("5.23")
    default void shutdownOutputTwiceIsHarmless() throws Exception {
        Connection pair = fixture().connection();
        pair.client().shutdownOutput();
        pair.client().shutdownOutput();
        assertThrows(
                BrokenPipeException.class,
                () -> pair.client().write(ByteBuffer.wrap(new byte[] {1})),
                "a write after shutdownOutput");
        assertThrows(
                BrokenPipeException.class,
                () -> pair.client().write(new ByteBuffer[] {ByteBuffer.wrap(new byte[] {1})}, 0, 1),
                "a gathering write after shutdownOutput");
        fixture().readEnd(pair.server());
        fixture().write(pair.server(), "x");
        assertEquals("x", fixture().readText(pair.client(), 1));
    }

    @Rule("5.24")
    default void zeroLengthsAreZero() throws Exception {
        ByteBuffer none = ByteBuffer.allocate(0);
        ByteBuffer noneDirect = ByteBuffer.allocateDirect(0);
        Connection pair = fixture().connection();
        PipePair pipe = fixture().pipe();
        for (ByteBuffer empty : List.of(none, noneDirect)) {
            assertEquals(0, pair.client().read(empty), "a read of nothing, and nothing waits");
            assertEquals(0, pair.client().write(empty), "a write of nothing");
            assertEquals(0, pair.client().write(new ByteBuffer[] {empty, empty}, 0, 2), "a gathering write of nothing");
            assertEquals(0, pair.client().write(new ByteBuffer[0], 0, 0), "a gathering write of no buffers");
            assertEquals(0, pipe.reader().read(empty), "a read of nothing from a pipe");
            assertEquals(0, pipe.writer().write(empty), "a write of nothing to a pipe");
        }
        fixture().write(pair.server(), "x");
        assertEquals(0, pair.client().read(none), "a read of nothing, and data waits");
        assertEquals("x", fixture().readText(pair.client(), 1));
        pair.server().shutdownOutput();
        fixture().readEnd(pair.client());
        assertEquals(0, pair.client().read(none), "a read of nothing at the end of the stream");
        assertEquals(InputSource.END_OF_STREAM, pair.client().read(ByteBuffer.allocate(1)), "the end of stream lasts");
        pipe.writer().close();
        fixture().readEnd(pipe.reader());
        assertEquals(0, pipe.reader().read(none), "a read of nothing at the end of a pipe");
    }

    @Rule("5.25")
    default void buffersKeepPositionAndLimit() throws Exception {
        Connection pair = fixture().connection();
        PipePair pipe = fixture().pipe();
        for (boolean direct : new boolean[] {false, true}) {
            ByteBuffer source = direct ? ByteBuffer.allocateDirect(16) : ByteBuffer.allocate(16);
            source.put("0123456789abcdef".getBytes(StandardCharsets.US_ASCII));
            source.position(3).limit(7);
            assertEquals(4, pair.client().write(source.asReadOnlyBuffer()), "written from a read-only buffer");
            assertEquals("3456", fixture().readText(pair.server(), 4));
            assertEquals(4, pair.client().write(source), "bytes written");
            assertEquals(7, source.position(), "position after the write");
            assertEquals(7, source.limit(), "limit after the write");
            source.position(2).limit(8);
            ByteBuffer slice = source.slice();
            slice.position(1).limit(3);
            assertEquals(2, pipe.writer().write(slice), "bytes written from a slice");
            assertEquals("34", fixture().readText(pipe.reader(), 2));

            ByteBuffer target = direct ? ByteBuffer.allocateDirect(16) : ByteBuffer.allocate(16);
            target.position(5).limit(9);
            fixture().await("four bytes in the middle of a buffer", () -> {
                pair.server().read(target);
                return !target.hasRemaining();
            });
            target.clear();
            for (int i = 0; i < 16; i++) {
                int expected = i >= 5 && i < 9 ? "3456".charAt(i - 5) : 0;
                assertEquals(expected, target.get(i), "byte " + i + " of the buffer read into");
            }
            target.position(5).limit(9);
            assertEquals(InputSource.WOULD_BLOCK, pair.server().read(target), "a read, and nothing waits");
            assertEquals(5, target.position(), "position after a read that would block");
            assertEquals(InputSource.WOULD_BLOCK, pipe.reader().read(target), "a read of an empty pipe");
            assertEquals(5, target.position(), "position after a read that would block");
        }
        Fixture.fill(pipe.writer());
        ByteBuffer left = ByteBuffer.allocate(10);
        left.position(4);
        assertEquals(InputSource.WOULD_BLOCK, pipe.writer().write(left), "a write to a full pipe");
        assertEquals(4, left.position(), "position after a write that would block");
    }

    @Rule("5.26")
    default void gatheringWritesKeepTheOrder() throws Exception {
        Connection pair = fixture().connection();
        int buffers = 5000;
        ByteBuffer[] sources = new ByteBuffer[buffers + 2];
        byte[] expected = new byte[buffers * 3];
        Random random = new Random(fixture().environment().seed());
        random.nextBytes(expected);
        for (int i = 0; i < buffers; i++) {
            ByteBuffer buffer = i % 2 == 0 ? ByteBuffer.allocate(5) : ByteBuffer.allocateDirect(5);
            buffer.position(1);
            buffer.put(expected, i * 3, 3).limit(4).position(1);
            sources[i + 1] = buffer;
        }
        // Outside of the range that is written.
        sources[0] = ByteBuffer.wrap(new byte[] {1, 2, 3});
        sources[buffers + 1] = ByteBuffer.wrap(new byte[] {4, 5, 6});
        Helper writer = fixture().helper("tck-writer", () -> {
            long[] written = new long[1];
            int[] from = {1};
            fixture().await("the gathering write", () -> {
                while (from[0] <= buffers && !sources[from[0]].hasRemaining()) {
                    from[0]++;
                }
                long count = pair.client().write(sources, from[0], buffers + 1 - from[0]);
                written[0] += Math.max(count, 0);
                return written[0] == expected.length;
            });
        });
        assertArrayEquals(expected, fixture().read(pair.server(), expected.length), "what a gathering write sent");
        writer.join();
        assertEquals(0, sources[0].position(), "a buffer before the range was written");
        assertEquals(0, sources[buffers + 1].position(), "a buffer after the range was written");
        ByteBuffer[] two = {ByteBuffer.allocate(1), ByteBuffer.allocate(1)};
        for (int[] wrong : new int[][] {{-1, 1}, {0, 3}, {2, 1}, {0, -1}, {1, Integer.MAX_VALUE}}) {
            assertThrows(
                    IndexOutOfBoundsException.class,
                    () -> pair.client().write(two, wrong[0], wrong[1]),
                    () -> "a range from " + wrong[0] + " with length " + wrong[1] + " of two buffers");
        }
        PipePair pipe = fixture().pipe();
        assertEquals(2, pipe.writer().write(two, 0, 2), "bytes of a gathering write to a pipe");
        assertEquals(2, Fixture.drain(pipe.reader()), "bytes read from the pipe");
    }

    @Rule("5.27")
    default void largeTransfersArriveWhole() throws Exception {
        int size = fixture().environment().rounds(8 << 20);
        byte[] sent = new byte[size];
        new Random(fixture().environment().seed()).nextBytes(sent);
        CRC32 expected = new CRC32();
        expected.update(sent);
        for (boolean direct : new boolean[] {false, true}) {
            ByteBuffer source = direct ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
            source.put(sent).flip();
            Connection pair = fixture().connection();
            // One buffer with all of it: the writer offers the whole rest at each call.
            Helper writer = fixture().helper("tck-writer", () -> {
                Watch watch = fixture().watch();
                watch.register(pair.client(), 1, Interest.WRITE, Mode.EDGE);
                while (source.hasRemaining()) {
                    watch.expectWritable(1, "the peer reads");
                    int count = pair.client().write(source);
                    while (count > 0 && source.hasRemaining()) {
                        count = pair.client().write(source);
                    }
                    watch.rearm(pair.client(), Interest.WRITE);
                }
                watch.poller().close();
                pair.client().shutdownOutput();
            });
            CRC32 received = new CRC32();
            ByteBuffer target = direct ? ByteBuffer.allocateDirect(9000) : ByteBuffer.allocate(9000);
            Watch watch = fixture().watch();
            watch.register(pair.server(), 1, Interest.READ, Mode.EDGE);
            long total = 0;
            boolean ended = false;
            while (!ended) {
                watch.expectReadable(1, "a transfer, after " + total + " of " + size + " bytes");
                while (true) {
                    target.clear();
                    int count = pair.server().read(target);
                    if (count < 0) {
                        ended = count == InputSource.END_OF_STREAM;
                        break;
                    }
                    received.update(target.flip());
                    total += count;
                }
                if (!ended) {
                    watch.rearm(pair.server(), Interest.READ);
                }
            }
            writer.join();
            assertEquals(size, total, "bytes received");
            assertEquals(expected.getValue(), received.getValue(), "checksum of what was received");
        }
    }

    @Rule("5.28")
    default void closedSourcesSayThatTheyAreClosed() throws Exception {
        Class<SourceClosedException> closed = SourceClosedException.class;
        Connection pair = fixture().connection();
        PipePair pipe = fixture().pipe();
        ListenerSource listener = fixture().listener();
        assertTrue(pair.client().isOpen() && pipe.reader().isOpen() && listener.isOpen(), "open sources say so");
        for (int i = 0; i < 2; i++) {
            pair.client().close();
            pipe.reader().close();
            pipe.writer().close();
            listener.close();
        }
        assertFalse(pair.client().isOpen() || pipe.reader().isOpen() || listener.isOpen(), "closed sources say so");
        ByteBuffer buffer = ByteBuffer.allocate(4);
        assertThrows(closed, () -> pair.client().read(buffer), "read");
        assertThrows(closed, () -> pair.client().write(buffer), "write");
        assertThrows(closed, () -> pair.client().write(new ByteBuffer[] {buffer}, 0, 1), "gathering write");
        assertThrows(closed, () -> pipe.reader().read(buffer), "read of a pipe");
        assertThrows(closed, () -> pipe.writer().write(buffer), "write to a pipe");
        assertThrows(closed, listener::accept, "accept");
        assertThrows(closed, () -> pair.client().finishConnect(), "finishConnect");
        assertThrows(closed, () -> pair.client().shutdownOutput(), "shutdownOutput");
        assertThrows(
                closed, () -> pair.client().setOption(StandardSocketOptions.TCP_NODELAY, true), "setting an option");
        assertThrows(closed, () -> pair.client().getOption(StandardSocketOptions.TCP_NODELAY), "asking for an option");
        fixture().readEnd(pair.server());
    }

    @Rule("5.29")
    default void optionsComeBackAsSet() throws Exception {
        Connection pair = fixture().connection();
        StreamSource stream = pair.client();
        for (SocketOption<?> option : List.of(
                StandardSocketOptions.TCP_NODELAY,
                StandardSocketOptions.SO_KEEPALIVE,
                StandardSocketOptions.SO_LINGER,
                StandardSocketOptions.SO_SNDBUF,
                StandardSocketOptions.SO_RCVBUF,
                StandardSocketOptions.SO_REUSEADDR)) {
            assertTrue(stream.supportedOptions().contains(option), () -> option + " is not supported");
        }
        assertEquals(-1, stream.getOption(StandardSocketOptions.SO_LINGER), "SO_LINGER when off");
        stream.setOption(StandardSocketOptions.SO_LINGER, 7);
        assertEquals(7, stream.getOption(StandardSocketOptions.SO_LINGER));
        stream.setOption(StandardSocketOptions.SO_LINGER, -1);
        assertEquals(-1, stream.getOption(StandardSocketOptions.SO_LINGER), "SO_LINGER after it was turned off");
        for (SocketOption<Boolean> option :
                List.of(StandardSocketOptions.TCP_NODELAY, StandardSocketOptions.SO_KEEPALIVE)) {
            for (boolean value : new boolean[] {true, false, true}) {
                stream.setOption(option, value);
                assertEquals(value, stream.getOption(option), () -> option + " after it was set");
            }
        }
        stream.setOption(StandardSocketOptions.SO_RCVBUF, 32 << 10);
        assertTrue(stream.getOption(StandardSocketOptions.SO_RCVBUF) > 0, "SO_RCVBUF after it was set");
        UnsupportedOperationException refused = assertThrows(
                UnsupportedOperationException.class,
                () -> stream.setOption(StandardSocketOptions.IP_MULTICAST_TTL, 1),
                "an option that streams do not have");
        assertTrue(
                String.valueOf(refused.getMessage()).contains("TCP_NODELAY"),
                () -> "the message does not list the options there are: " + refused.getMessage());
        assertThrows(
                UnsupportedOperationException.class,
                () -> stream.getOption(StandardSocketOptions.IP_MULTICAST_TTL),
                "an option that streams do not have");
    }

    @Rule("5.30")
    default void noDelayFollowsTheOptions() throws Exception {
        for (boolean value : new boolean[] {true, false}) {
            ListenerSource listener = fixture()
                    .keep(fixture().provider().listen(Fixture.loopback(), ListenOptions.DEFAULT.withNoDelay(value)));
            StreamSource client = fixture()
                    .keep(fixture()
                            .provider()
                            .connect(listener.localAddress(), ConnectOptions.DEFAULT.withNoDelay(value)));
            StreamSource server = fixture().accept(listener);
            fixture().awaitConnected(client);
            assertEquals(value, client.getOption(StandardSocketOptions.TCP_NODELAY), "no-delay of a client");
            assertEquals(value, server.getOption(StandardSocketOptions.TCP_NODELAY), "no-delay of an accepted stream");
        }
    }

    @Rule("5.31")
    default void pipesEndLikeStreams() throws Exception {
        PipePair pipe = fixture().pipe();
        assertEquals(InputSource.WOULD_BLOCK, pipe.reader().read(ByteBuffer.allocate(1)), "a read of an empty pipe");
        fixture().write(pipe.writer(), "abc");
        pipe.writer().close();
        assertEquals("abc", fixture().readText(pipe.reader(), 3));
        fixture().readEnd(pipe.reader());
        PipePair other = fixture().pipe();
        long room = Fixture.fill(other.writer());
        assertTrue(room > 0, "an empty pipe had no room");
        assertEquals(room, Fixture.drain(other.reader()), "bytes that went through a pipe");
        fixture().write(other.writer(), "again");
        assertEquals("again", fixture().readText(other.reader(), 5));
    }

    @Rule("5.32")
    default void shortReadsAreTrustedOnStreamsOnly() throws Exception {
        PipePair pipe = fixture().pipe();
        fixture().write(pipe.writer(), "x");
        pipe.reader().read(ByteBuffer.allocate(4));
        assertFalse(pipe.reader().isDrainedByShortRead(), "a pipe must not claim that a short read drains it");
        Connection pair = fixture().connection();
        for (int i = 0; i < 50; i++) {
            fixture().write(pair.client(), "abc");
            ByteBuffer buffer = ByteBuffer.allocate(16);
            fixture().await("data", () -> pair.server().read(buffer) > 0);
            boolean drained = pair.server().isDrainedByShortRead();
            while (buffer.position() < 3) {
                pair.server().read(buffer);
            }
            Assumptions.assumeTrue(drained, "streams of this provider do not claim that a short read drains them");
            assertEquals(InputSource.WOULD_BLOCK, pair.server().read(buffer), "a read after a short read");
        }
    }

    @Rule("5.33")
    default void shortWritesMeanAFullBuffer() throws Exception {
        Connection pair = fixture().narrowConnection();
        ByteBuffer much = ByteBuffer.allocate(64 << 20);
        int count = pair.client().write(much);
        assertTrue(count > 0 && count < much.capacity(), "a write of 64 MiB at once moved " + count + " bytes");
        assertEquals(count, much.position(), "position after a short write");
        byte[] received = fixture().read(pair.server(), count);
        for (byte b : received) {
            assertEquals(0, b, "a byte received");
        }
        assertEquals(InputSource.WOULD_BLOCK, pair.server().read(ByteBuffer.allocate(1)), "after all was read");
    }
}
