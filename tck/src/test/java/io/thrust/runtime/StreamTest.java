package io.thrust.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thrust.net.TcpListener;
import io.thrust.net.TcpStream;
import io.thrust.poll.BrokenPipeException;
import io.thrust.poll.ConnectionResetException;
import io.thrust.poll.PollerProvider;
import io.thrust.poll.SourceClosedException;
import io.thrust.task.Async;
import io.thrust.task.Task;
import io.thrust.task.YieldOnce;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Reading, writing and ending TCP streams. */
@OnEveryBackend
class StreamTest extends LoopTest {
    StreamTest(PollerProvider provider) {
        super(provider);
    }

    // ---- bytes

    @Test
    void whatIsWrittenArrivesInOrder() throws IOException {
        Pair pair = pair();
        ByteBuffer direct = ByteBuffer.allocateDirect(5).put(bytes("world")).flip();

        assertThat(loop.blockOn(pair.client().write(bytes("hello ")))).isEqualTo(6);
        loop.blockOn(pair.client().writeAll(direct));
        assertThat(loop.blockOn(
                        pair.client().write(new ByteBuffer[] {bytes(", "), bytes(""), bytes("all"), bytes("!")})))
                .isEqualTo(6);

        assertThat(text(loop.blockOn(fill(pair.server(), 17)))).isEqualTo("hello world, all!");
        assertThat(direct.hasRemaining()).isFalse();
    }

    @Test
    void aReadWaitsForTheFirstByteAndTakesWhatIsThere() throws IOException {
        Pair pair = pair();
        ByteBuffer dst = ByteBuffer.allocate(100);
        Task<Integer> read = loop.spawn(pair.server().read(dst));
        loop.turn(0);
        assertThat(read.isDone()).isFalse();

        loop.blockOn(pair.client().writeAll(bytes("abc")));

        assertThat(loop.blockOn(read.join())).isEqualTo(3);
        assertThat(text(dst)).isEqualTo("abc");
    }

    @Test
    void readsAndWritesOfNothingEndAtOnce() throws IOException {
        Pair pair = pair();
        ByteBuffer nothing = ByteBuffer.allocate(0);

        assertThat(loop.blockOn(pair.server().read(nothing))).isZero();
        assertThat(loop.blockOn(pair.server().write(nothing))).isZero();
        assertThat(loop.blockOn(pair.server().writeAll(new ByteBuffer[] {nothing, nothing})))
                .isZero();
    }

    @Test
    void fiveThousandBuffersAreGathered() throws Exception {
        Pair pair = pair();
        byte[] all = pattern(5000 * 7, 3);
        ByteBuffer[] buffers = new ByteBuffer[5000];
        for (int i = 0; i < buffers.length; i++) {
            ByteBuffer buffer = i % 2 == 0 ? ByteBuffer.allocateDirect(7) : ByteBuffer.allocate(7);
            buffers[i] = buffer.put(all, i * 7, 7).flip();
        }
        Task<ByteBuffer> received = loop.spawn(fill(pair.server(), all.length));

        assertThat(loop.blockOn(pair.client().writeAll(buffers))).isEqualTo(all.length);

        assertThat(received.result().array()).isEqualTo(all);
        assertThat(buffers).noneMatch(ByteBuffer::hasRemaining);
    }

    @Test
    void aLargeGatheringWriteWaitsForASlowReader() throws Exception {
        Pair pair = pair();
        byte[] all = pattern(8 << 20, 4);
        ByteBuffer[] buffers = new ByteBuffer[2048];
        Arrays.setAll(buffers, i -> ByteBuffer.wrap(all, i * 4096, 4096));
        Task<ByteBuffer> received = loop.spawn(new YieldOnce().then(none -> fill(pair.server(), all.length)));

        assertThat(loop.blockOn(pair.client().writeAll(buffers))).isEqualTo(all.length);

        assertThat(checksum(received.result().array())).isEqualTo(checksum(all));
    }

    @Test
    void sixteenMebibytesPassThroughAReaderThatTakesLittleAtATime() throws Exception {
        Pair pair = pair();
        byte[] all = pattern(16 << 20, 5);
        ByteBuffer direct = ByteBuffer.allocateDirect(all.length).put(all).flip();
        ByteBuffer received = ByteBuffer.allocate(all.length);
        Task<?> reader = loop.spawn(Async.loop(() -> {
            received.limit(Math.min(received.capacity(), received.position() + 3001));
            return pair.server()
                    .read(received)
                    .then(n -> new YieldOnce().map(none -> n > 0 && received.position() < received.capacity()));
        }));

        loop.blockOn(pair.client().writeAll(direct));

        assertThat(reader.isDone()).isTrue();
        assertThat(checksum(received.array())).isEqualTo(checksum(all));
    }

    @Test
    void bothDirectionsGoAtOnceAndDoNotWaitForEachOther() throws Exception {
        Pair pair = pair();
        byte[] there = pattern(4 << 20, 1);
        byte[] back = pattern(4 << 20, 2);
        Task<ByteBuffer> server = loop.spawn(fill(pair.server(), there.length));
        Task<ByteBuffer> client = loop.spawn(fill(pair.client(), back.length));
        loop.spawn(pair.client().writeAll(ByteBuffer.wrap(there)));
        loop.spawn(pair.server().writeAll(ByteBuffer.wrap(back)));

        loop.run();

        assertThat(checksum(server.result().array())).isEqualTo(checksum(there));
        assertThat(checksum(client.result().array())).isEqualTo(checksum(back));
    }

    // ---- slots

    @Test
    void aSecondReaderOrWriterIsRefusedAndTheFirstGoesOn() throws Exception {
        Pair pair = pair();
        Task<ByteBuffer> reader = loop.spawn(fill(pair.server(), 3));
        Task<Integer> second = loop.spawn(pair.server().read(ByteBuffer.allocate(1)));
        loop.turn(0);
        loop.turn(0);
        assertThatThrownBy(second::result)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("another read is under way");

        Task<?> writer = loop.spawn(pair.server().writeAll(ByteBuffer.allocate(32 << 20)));
        Task<?> secondWriter = loop.spawn(pair.server().writeAll(bytes("x")));
        while (!secondWriter.isDone()) {
            loop.turn(0);
        }
        assertThatThrownBy(secondWriter::result)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("another write is under way");

        loop.blockOn(Async.lazy(() -> {
            writer.cancel();
            return pair.client().writeAll(bytes("abc"));
        }));
        assertThat(text(reader.result())).isEqualTo("abc");
    }

    @Test
    void aReadThatIsCancelledLosesNothingAndLeavesTheStreamToTheNext() throws Exception {
        Pair pair = pair();
        ByteBuffer dst = ByteBuffer.allocate(10);
        Task<Integer> read = loop.spawn(pair.server().read(dst));
        loop.turn(0);
        read.cancel();
        assertThat(read.isCancelled()).isTrue();

        loop.blockOn(pair.client().writeAll(bytes("abc")));

        assertThat(text(loop.blockOn(fill(pair.server(), 3)))).isEqualTo("abc");
        assertThat(dst.position()).isZero();
    }

    @Test
    void aWriteThatIsCancelledSaysByItsBufferWhatWasWritten() throws Exception {
        Pair pair = pair();
        byte[] all = pattern(32 << 20, 9);
        ByteBuffer src = ByteBuffer.wrap(all);
        Task<?> write = loop.spawn(pair.client().writeAll(src));
        loop.turn(0);
        loop.turn(0);
        write.cancel();
        int written = src.position();
        assertThat(written).isBetween(1, all.length - 1);
        pair.client().close();

        byte[] received = loop.blockOn(readAll(pair.server()));

        assertThat(received).hasSize(written);
        assertThat(checksum(received)).isEqualTo(checksum(Arrays.copyOf(all, written)));
    }

    // ---- ends

    @Test
    void whatWasSentBeforeTheEndIsReadThenTheEndAgainAndAgain() throws Exception {
        try (TcpListener listener = listen()) {
            start("peer", () -> {
                try (Socket peer = new Socket()) {
                    peer.connect(listener.localAddress());
                    peer.getOutputStream().write("abc".getBytes());
                }
            });
            TcpStream stream = loop.blockOn(listener.accept());
            ByteBuffer dst = ByteBuffer.allocate(100);

            assertThat(text(loop.blockOn(fill(stream, dst)))).isEqualTo("abc");
            for (int i = 0; i < 3; i++) {
                assertThat(loop.blockOn(stream.read(dst))).isEqualTo(TcpStream.END_OF_STREAM);
            }
        }
    }

    @Test
    void manyShortMessagesEachFollowedByTheEndAreReadWhole() throws Exception {
        try (TcpListener listener = listen()) {
            start("peer", () -> {
                for (int i = 0; i < 300; i++) {
                    try (Socket peer = new Socket()) {
                        peer.connect(listener.localAddress());
                        peer.getOutputStream().write(("m" + i).getBytes());
                    }
                }
            });
            for (int i = 0; i < 300; i++) {
                TcpStream stream = loop.blockOn(listener.accept());
                assertThat(new String(loop.blockOn(readAll(stream)))).isEqualTo("m" + i);
                stream.close();
            }
        }
    }

    @Test
    void urgentDataDoesNotKeepTheRestFromBeingRead() throws Exception {
        try (TcpListener listener = listen()) {
            for (int i = 0; i < 20; i++) {
                CountDownLatch read = new CountDownLatch(1);
                start("peer", () -> {
                    try (Socket peer = new Socket()) {
                        peer.setTcpNoDelay(true);
                        peer.connect(listener.localAddress());
                        OutputStream out = peer.getOutputStream();
                        out.write("abc".getBytes());
                        peer.sendUrgentData('d');
                        out.write("efg".getBytes());
                        read.await();
                    }
                });
                TcpStream stream = loop.blockOn(listener.accept());
                StringBuilder all = new StringBuilder();
                ByteBuffer dst = ByteBuffer.allocate(100);

                // The peer keeps the connection open: nothing but the bytes themselves ends the wait.
                loop.blockOn(Async.loop(() -> stream.read(dst.clear()).map(n -> {
                    assertThat(n).isPositive();
                    all.append(text(dst));
                    return all.indexOf("efg") < 0;
                })));

                assertThat(all.toString().replace("d", "")).isEqualTo("abcefg");
                read.countDown();
                stream.close();
            }
        }
    }

    @Test
    void halfClosingEndsOneDirectionOnly() throws Exception {
        Pair pair = pair();
        loop.blockOn(pair.client().writeAll(bytes("request")));
        pair.client().shutdownOutput();
        pair.client().shutdownOutput();

        assertThat(new String(loop.blockOn(readAll(pair.server())))).isEqualTo("request");
        loop.blockOn(pair.server().writeAll(bytes("answer")));
        assertThat(text(loop.blockOn(fill(pair.client(), 6)))).isEqualTo("answer");
        assertThatThrownBy(() -> loop.blockOn(pair.client().writeAll(bytes("more"))))
                .isInstanceOf(BrokenPipeException.class);
        pair.server().close();
        assertThat(loop.blockOn(pair.client().read(ByteBuffer.allocate(1)))).isEqualTo(TcpStream.END_OF_STREAM);
    }

    @Test
    void aResetFailsAPendingRead() throws Exception {
        Pair pair = pair();
        Task<Integer> read = loop.spawn(pair.server().read(ByteBuffer.allocate(10)));
        loop.turn(0);

        reset(pair.client());
        loop.run();

        assertThatThrownBy(read::result).isInstanceOf(ConnectionResetException.class);
    }

    @Test
    void aResetFailsAPendingWrite() throws Exception {
        Pair pair = pair();
        Task<?> write = loop.spawn(pair.server().writeAll(ByteBuffer.allocate(64 << 20)));
        loop.turn(0);
        loop.turn(0);
        assertThat(write.isDone()).isFalse();

        reset(pair.client());
        loop.run();

        assertThatThrownBy(write::result).isInstanceOfAny(ConnectionResetException.class, BrokenPipeException.class);
    }

    @Test
    void writesToAPeerThatIsGoneFailAfterAFew() throws Exception {
        Pair pair = pair();
        pair.client().close();

        assertThatThrownBy(() -> loop.blockOn(Async.loop(() -> pair.server()
                        .writeAll(bytes("anybody?"))
                        .then(none -> new YieldOnce())
                        .map(none -> true))))
                .isInstanceOfAny(ConnectionResetException.class, BrokenPipeException.class);
        // Neither throws a second time.
        pair.server().shutdownOutput();
        pair.server().close();
    }

    private static void reset(TcpStream stream) throws IOException {
        stream.setOption(StandardSocketOptions.SO_LINGER, 0);
        stream.close();
    }

    @Test
    void closingAStreamFailsWhatIsUnderWayAndWhateverComesLater() throws Exception {
        Pair pair = pair();
        Task<Integer> read = loop.spawn(pair.server().read(ByteBuffer.allocate(10)));
        Task<?> write = loop.spawn(pair.server().writeAll(ByteBuffer.allocate(64 << 20)));
        loop.turn(0);
        loop.turn(0);
        assertThat(read.isDone() || write.isDone()).isFalse();

        pair.server().close();
        pair.server().close();
        loop.run();

        assertThatThrownBy(read::result).isInstanceOf(SourceClosedException.class);
        assertThatThrownBy(write::result).isInstanceOf(SourceClosedException.class);
        assertThatThrownBy(() -> loop.blockOn(pair.server().read(ByteBuffer.allocate(1))))
                .isInstanceOf(SourceClosedException.class);
        assertThatThrownBy(() -> loop.blockOn(pair.server().write(ByteBuffer.allocate(0))))
                .isInstanceOf(SourceClosedException.class);
        assertThat(pair.server().isOpen()).isFalse();
        assertThat(loop.reactor().registrationCount()).isEqualTo(1);
    }

    // ---- options

    @Test
    void optionsAreSetAndRead() throws IOException {
        Pair pair = pair();
        TcpStream stream = pair.client();
        assertThat(stream.supportedOptions())
                .contains(
                        StandardSocketOptions.TCP_NODELAY,
                        StandardSocketOptions.SO_KEEPALIVE,
                        StandardSocketOptions.SO_LINGER,
                        StandardSocketOptions.SO_SNDBUF,
                        StandardSocketOptions.SO_RCVBUF,
                        StandardSocketOptions.SO_REUSEADDR);
        assertThat(stream.getOption(StandardSocketOptions.TCP_NODELAY)).isTrue();
        assertThat(pair.server().getOption(StandardSocketOptions.TCP_NODELAY)).isTrue();
        assertThat(stream.setOption(StandardSocketOptions.TCP_NODELAY, false)
                        .getOption(StandardSocketOptions.TCP_NODELAY))
                .isFalse();
        assertThat(stream.getOption(StandardSocketOptions.SO_KEEPALIVE)).isFalse();
        assertThat(stream.setOption(StandardSocketOptions.SO_KEEPALIVE, true)
                        .getOption(StandardSocketOptions.SO_KEEPALIVE))
                .isTrue();
        assertThat(stream.getOption(StandardSocketOptions.SO_LINGER)).isEqualTo(-1);
        assertThat(stream.setOption(StandardSocketOptions.SO_LINGER, 3).getOption(StandardSocketOptions.SO_LINGER))
                .isEqualTo(3);
        stream.setOption(StandardSocketOptions.SO_LINGER, -1);
        assertThat(stream.setOption(StandardSocketOptions.SO_SNDBUF, 65_536).getOption(StandardSocketOptions.SO_SNDBUF))
                .isGreaterThanOrEqualTo(65_536);
        assertThatThrownBy(() -> stream.setOption(StandardSocketOptions.IP_MULTICAST_LOOP, true))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("TCP_NODELAY");
        stream.close();
        assertThatThrownBy(() -> stream.getOption(StandardSocketOptions.TCP_NODELAY))
                .isInstanceOfAny(SourceClosedException.class, SocketException.class);
    }
}
