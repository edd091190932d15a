package io.thrust.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.thrust.EventLoop;
import io.thrust.Timers;
import io.thrust.net.TcpListener;
import io.thrust.net.TcpStream;
import io.thrust.poll.ConnectOptions;
import io.thrust.poll.ConnectionResetException;
import io.thrust.poll.InputSource;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.StreamSource;
import io.thrust.task.Async;
import io.thrust.task.Task;
import io.thrust.task.Waker;
import io.thrust.task.YieldOnce;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The second half of chapter 9: this project's event loop over the poller. It combines what the rules before look at one by
 * one: it registers once, asks for writing when that blocks, polls with zero while tasks are ready, sleeps until the next
 * timer, and is woken by other threads.
 */
interface EventLoopRules extends Chapter {

    // ---- conversations

    /** Two tasks that meet: the one that accepts, and the one that connects. */
    record Ends(TcpStream client, TcpStream server) {}

    private Async<Ends> ends(Loop loop, TcpListener listener) {
        return ends(loop, listener, ConnectOptions.DEFAULT);
    }

    private Async<Ends> ends(Loop loop, TcpListener listener, ConnectOptions options) {
        Task<TcpStream> accepted = loop.eventLoop().spawn(listener.accept());
        return TcpStream.connect(listener.localAddress(), options)
                .then(client -> accepted.join().map(server -> new Ends(client, server)));
    }

    /** Reads until the buffer is full; the stream must not end before. */
    private static Async<ByteBuffer> fill(TcpStream stream, ByteBuffer dst) {
        return Async.loop(() -> stream.read(dst).map(count -> {
                    assertTrue(
                            count != TcpStream.END_OF_STREAM, () -> "end of stream after " + dst.position() + " bytes");
                    return dst.hasRemaining();
                }))
                .map(none -> dst);
    }

    /** Reads to the end of the stream, checking each byte; the number of bytes is the result. */
    private static Async<Integer> readPattern(TcpStream stream, int seed) {
        ByteBuffer buffer = ByteBuffer.allocate(8 << 10);
        int[] total = new int[1];
        return Async.loop(() -> stream.read(buffer.clear()).map(count -> {
                    for (int i = 0; i < count; i++) {
                        if (buffer.get(i) != (byte) (seed + total[0] + i)) {
                            fail("the byte at " + (total[0] + i) + " is " + buffer.get(i) + " instead of "
                                    + (byte) (seed + total[0] + i));
                        }
                    }
                    total[0] += Math.max(count, 0);
                    return count != TcpStream.END_OF_STREAM;
                }))
                .map(none -> total[0]);
    }

    private static ByteBuffer pattern(int seed, int from, int count) {
        ByteBuffer buffer = ByteBuffer.allocate(count);
        for (int i = 0; i < count; i++) {
            buffer.put((byte) (seed + from + i));
        }
        return buffer.flip();
    }

    /** Sends back what comes, to the end of the stream. */
    private static Async<?> echo(TcpStream stream) {
        ByteBuffer buffer = ByteBuffer.allocate(4 << 10);
        return Async.loop(() -> stream.read(buffer.clear())
                        .then(count -> count == TcpStream.END_OF_STREAM
                                ? Async.ready(false)
                                : stream.writeAll(buffer.flip()).map(none -> true)))
                .closing(stream);
    }

    private static void shutdownOutput(TcpStream stream) {
        try {
            stream.shutdownOutput();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lets so many turns of the loop pass, each with a poll. */
    private static Async<?> turns(int count) {
        int[] left = {count};
        return Async.loop(() -> left[0]-- == 0
                ? Async.ready(false)
                : Timers.sleep(Duration.ZERO).map(none -> true));
    }

    /** Waits for the end of each. */
    private static Async<?> all(List<Task<?>> tasks) {
        int[] next = new int[1];
        return Async.loop(() -> tasks.get(next[0]).join().map(none -> ++next[0] < tasks.size()));
    }

    /** So many round trips of one byte. */
    private static Async<?> pings(TcpStream stream, int count) {
        ByteBuffer one = ByteBuffer.allocate(1);
        int[] sent = new int[1];
        return Async.loop(() -> {
            one.clear().put((byte) sent[0]).flip();
            return stream.writeAll(one).then(none -> fill(stream, one.clear())).map(read -> {
                assertEquals((byte) sent[0], read.get(0), "the echo of a byte");
                return ++sent[0] < count;
            });
        });
    }

    // ---- the rules

    /** A task and a thread that take turns. */
    final class Turns implements Async<@Nullable Void> {
        private final int most;
        private volatile @Nullable Waker waker;
        private volatile int given;
        private int taken;

        Turns(int most) {
            this.most = most;
        }

        /** The other thread's part: gives a turn each time the task waits for one. */
        void give(long patienceNanos) {
            for (int i = 1; i <= most; i++) {
                long deadline = System.nanoTime() + patienceNanos;
                Waker waiting;
                while ((waiting = waker) == null) {
                    if (System.nanoTime() - deadline > 0) {
                        fail("the task that was woken " + (i - 1) + " times did not go on and wait again");
                    }
                    Thread.onSpinWait();
                }
                waker = null;
                given = i;
                waiting.wake();
            }
        }

        @Override
        public boolean poll(Waker waker) {
            if (given > taken) {
                taken = given;
                if (taken == most) {
                    return READY;
                }
            }
            this.waker = waker;
            return PENDING;
        }

        @Override
        public @Nullable Void result() {
            return null;
        }
    }

    @Rule("9.5")
    default void tasksThatOtherThreadsWakeGoOn() throws Exception {
        Loop loop = fixture().loop(64);
        long patience = fixture().environment().patienceNanos();
        int rounds = fixture().environment().rounds(2000);
        Turns turns = new Turns(rounds);
        Helper waker = fixture().helper("tck-waker", () -> turns.give(patience));
        loop.run("a task that is woken by another thread, " + rounds + " times", () -> turns);
        waker.join();

        AtomicInteger sum = new AtomicInteger();
        Turns end = new Turns(1);
        Helper submitter = fixture().helper("tck-submitter", () -> {
            for (int i = 0; i < rounds; i++) {
                sum.addAndGet(loop.eventLoop().submit(Async.ready(1)).get(patience, TimeUnit.NANOSECONDS));
            }
            end.give(patience);
        });
        loop.run("a loop that is handed " + rounds + " tasks by another thread", () -> end);
        submitter.join();
        assertEquals(rounds, sum.get(), "tasks that were handed over");
    }

    @Rule("9.6")
    default void timersFireBesideIdlenessAndWork() throws Exception {
        Loop loop = fixture().loop(64);
        loop.run("sleepers in an idle loop", this::sleepers);

        TcpListener listener = loop.listen();
        AtomicLong echoed = new AtomicLong();
        loop.run(
                "sleepers beside an echo that never ends",
                () -> ends(loop, listener).then(ends -> {
                    loop.background(echo(ends.server()));
                    loop.background(Async.loop(() -> pings(ends.client(), 1).map(none -> {
                        echoed.incrementAndGet();
                        return true;
                    })));
                    return sleepers();
                }));
        assertTrue(echoed.get() > 0, "no byte was echoed while timers ran");
    }

    /** Sleeps of many lengths at once, one after the other started, of which none may end early. */
    private Async<?> sleepers() {
        List<Task<?>> all = new ArrayList<>();
        for (long nanos :
                new long[] {1, 50_000, 300_000, 700_000, 999_999, 1_000_000, 1_000_001, 2_500_000, 7_300_000}) {
            for (int repetitions = 1; repetitions <= 4; repetitions++) {
                int count = repetitions;
                int[] done = new int[1];
                all.add(EventLoop.current().spawn(Async.loop(() -> {
                    long start = System.nanoTime();
                    return Timers.sleep(Duration.ofNanos(nanos)).map(none -> {
                        long slept = System.nanoTime() - start;
                        assertTrue(slept >= nanos, () -> "a sleep of " + nanos + " ns ended after " + slept + " ns");
                        return ++done[0] < count;
                    });
                })));
            }
        }
        return all(all);
    }

    @Rule("9.7")
    default void aBusyLoopIsToldOfEverything() throws Exception {
        Loop loop = fixture().loop(64);
        TcpListener listener = loop.listen();
        Turns turns = new Turns(fixture().environment().rounds(500));
        Helper waker = fixture()
                .helper("tck-waker", () -> turns.give(fixture().environment().patienceNanos()));
        loop.run("an echo, timers and wake-ups beside a task that is always ready", () -> {
            loop.background(Async.loop(() -> new YieldOnce().map(none -> true)));
            return ends(loop, listener).then(ends -> {
                loop.background(echo(ends.server()));
                return pings(ends.client(), fixture().environment().rounds(200))
                        .then(none -> Timers.sleep(Duration.ofMillis(2)))
                        .then(none -> turns);
            });
        });
        waker.join();
    }

    @Rule("9.8")
    default void aHalfClosedStreamIsServedToItsEnd() throws Exception {
        Loop loop = fixture().loop(64);
        TcpListener listener = loop.listen();
        // More than a send buffer and the small receive buffer hold together, however the system lets them grow.
        int answer = 8 << 20;
        ConnectOptions narrow = ConnectOptions.DEFAULT.withReceiveBuffer(16 << 10);
        for (boolean together : new boolean[] {true, false}) {
            int received = loop.run(
                    "a long answer to a request whose end came " + (together ? "with it" : "after it"),
                    () -> ends(loop, listener, narrow).then(ends -> {
                        loop.background(readPattern(ends.server(), 7)
                                .then(asked -> {
                                    assertEquals(100, asked, "bytes of the request");
                                    return ends.server().writeAll(pattern(11, 0, answer));
                                })
                                .closing(ends.server()));
                        return ends.client()
                                .writeAll(pattern(7, 0, 100))
                                .then(none -> Timers.sleep(Duration.ofMillis(together ? 0 : 5)))
                                .then(none -> {
                                    shutdownOutput(ends.client());
                                    // The answer fills all buffers, and its writer waits for room.
                                    return Timers.sleep(Duration.ofMillis(5));
                                })
                                .then(none -> readPattern(ends.client(), 11))
                                .closing(ends.client());
                    }));
            assertEquals(answer, received, "bytes of the answer");
        }
    }

    @Rule("9.9")
    default void manyConnectionsAreServedThroughASmallBatch() throws Exception {
        Loop loop = fixture().loop(8);
        TcpListener listener = loop.listen();
        int clients = fixture().environment().rounds(200);
        int size = 20_000;
        loop.run(clients + " echoes at once through batches of 8", () -> {
            loop.background(Async.loop(() -> listener.accept().map(stream -> {
                loop.background(echo(stream));
                return true;
            })));
            List<Task<?>> all = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                int seed = i;
                int[] visits = new int[1];
                // Each comes twice, the second time when others are in the middle of their first.
                all.add(loop.eventLoop()
                        .spawn(Async.loop(() -> visit(loop, listener, seed, size)
                                .map(received -> {
                                    assertEquals(size, received, "bytes echoed to client " + seed);
                                    return ++visits[0] < 2;
                                }))));
            }
            return all(all);
        });
    }

    /** Sends a pattern, ends its output, and reads to the end at the same time; has the number of bytes read. */
    private static Async<Integer> visit(Loop loop, TcpListener listener, int seed, int size) {
        return TcpStream.connect(listener.localAddress()).then(stream -> {
            loop.background(stream.writeAll(pattern(seed, 0, size)).map(none -> {
                shutdownOutput(stream);
                return true;
            }));
            return readPattern(stream, seed).closing(stream);
        });
    }

    @Rule("9.10")
    default void aRefusedConnectFailsItsTask() throws Exception {
        Loop loop = fixture().loop(64);
        TcpListener listener = loop.listen();
        InetSocketAddress dead;
        try (TcpListener closed = loop.listen()) {
            dead = closed.localAddress();
        }
        for (int i = 0; i < 3; i++) {
            ConnectException refused = assertThrows(
                    ConnectException.class,
                    () -> loop.run(
                            "a connect that is refused",
                            () -> TcpStream.connect(dead).map(stream -> stream)));
            assertTrue(
                    String.valueOf(refused.getMessage()).contains(String.valueOf(dead.getPort())),
                    () -> "the message does not name " + dead + ": " + refused.getMessage());
        }
        assertEquals(1, loop.eventLoop().reactor().registrationCount(), "sources that are registered besides");
        loop.run(
                "an echo after connects that were refused",
                () -> ends(loop, listener).then(ends -> {
                    loop.background(echo(ends.server()));
                    return pings(ends.client(), 3);
                }));
    }

    @Rule("9.11")
    default void aReadThatIsCancelledLosesNothing() throws Exception {
        Loop loop = fixture().loop(64);
        TcpListener listener = loop.listen();
        int rounds = fixture().environment().rounds(2000);
        loop.run(
                "reads that are cancelled before bytes come",
                () -> ends(loop, listener).then(ends -> {
                    ByteBuffer cancelled = ByteBuffer.allocate(8);
                    ByteBuffer one = ByteBuffer.allocate(1);
                    int[] round = new int[1];
                    return Async.loop(() -> {
                        Task<Integer> read =
                                loop.eventLoop().spawnBackground(ends.server().read(cancelled.clear()));
                        // From "not yet begun" to "waited for by the poller".
                        return turns(round[0] % 3)
                                .then(none -> {
                                    read.cancel();
                                    one.clear().put((byte) round[0]).flip();
                                    return ends.client().writeAll(one);
                                })
                                .then(none -> fill(ends.server(), one.clear()))
                                .map(received -> {
                                    assertEquals(0, cancelled.position(), "bytes in the buffer of a cancelled read");
                                    assertEquals((byte) round[0], received.get(0), "byte of round " + round[0]);
                                    return ++round[0] < rounds;
                                });
                    });
                }));
    }

    @Rule("9.12")
    default void aParkedLoopIsClosedFromAnotherThread() throws Exception {
        Loop loop = fixture().loop(64);
        EventLoop eventLoop = loop.eventLoop();
        TcpListener listener = loop.listen();
        long patience = fixture().environment().patienceNanos();
        StreamSource peer = fixture().connect(listener.localAddress());
        Thread self = Thread.currentThread();
        AtomicLong closedAt = new AtomicLong();
        Turns started = new Turns(1);
        Helper closer = fixture().helper("tck-closer", () -> {
            started.give(patience);
            fixture().letItWait(self);
            closedAt.set(System.nanoTime());
            eventLoop.close();
        });
        TcpStream[] accepted = new TcpStream[1];
        Async<?> main = listener.accept().then(stream -> {
            accepted[0] = stream;
            eventLoop.spawn(stream.read(ByteBuffer.allocate(1)));
            eventLoop.spawn(listener.accept());
            // Without the close it would be long past what can be called at once.
            return started.then(none -> Timers.sleep(Duration.ofNanos(patience * 3)));
        });
        assertThrows(CancellationException.class, () -> eventLoop.blockOn(main), "what runs in a loop that is closed");
        long took = System.nanoTime() - closedAt.get();
        closer.join();
        assertTrue(took < patience, () -> "the loop ended only " + took + " ns after it was closed");
        assertTrue(eventLoop.awaitClosed(patience, TimeUnit.NANOSECONDS), "everything of the loop was released");
        assertFalse(accepted[0].isOpen() || listener.isOpen(), "a stream or listener of a closed loop is open");
        expectEnd(peer);
        fixture().keep(fixture().provider().listen(listener.localAddress(), ListenOptions.DEFAULT));
    }

    /** The peer of a stream that was closed reads its end, or a reset. */
    private void expectEnd(StreamSource peer) throws IOException {
        fixture().awaitConnected(peer);
        fixture().await("the end of a stream whose other end belonged to a loop that was closed", () -> {
            try {
                return peer.read(ByteBuffer.allocate(1)) == InputSource.END_OF_STREAM;
            } catch (ConnectionResetException e) {
                return true;
            }
        });
    }

    @Rule("9.13")
    default void aLoopThatCannotGoOnSleeps() throws Exception {
        Loop loop = fixture().loop(64);
        TcpListener listener = loop.listen();
        TcpListener unserved = loop.listen();
        EventLoop eventLoop = loop.eventLoop();
        Ends full = loop.run("a connection", () -> ends(loop, listener));
        Ends half = loop.run("a second connection", () -> ends(loop, listener));
        // A writer without room, an end of stream and data that nobody reads, a connection that nobody accepts.
        loop.background(full.client().writeAll(ByteBuffer.allocate(64 << 20)));
        half.client().shutdownOutput();
        loop.background(half.client().read(ByteBuffer.allocate(1)));
        loop.background(listener.accept());
        fixture().connect(unserved.localAddress());
        long silence = fixture().environment().silenceNanos();
        int slept = 0;
        for (int turn = 0; turn < 100 && slept < 3; turn++) {
            long start = System.nanoTime();
            eventLoop.turn(silence);
            slept = System.nanoTime() - start >= silence ? slept + 1 : 0;
        }
        assertEquals(
                3,
                slept,
                "turns one after the other that last their " + silence + " ns, where nothing happens, among 100");
    }
}
