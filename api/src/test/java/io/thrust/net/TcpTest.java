package io.thrust.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thrust.EventLoop;
import io.thrust.Timers;
import io.thrust.poll.InputSource;
import io.thrust.poll.Interest;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.PollerClosedException;
import io.thrust.poll.spi.FakePoller;
import io.thrust.poll.spi.FakeProvider;
import io.thrust.poll.spi.FakeSource;
import io.thrust.task.Async;
import io.thrust.task.Budget;
import io.thrust.task.FakeParkers;
import io.thrust.task.LocalExecutor;
import io.thrust.task.Task;
import io.thrust.task.YieldOnce;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The operations of streams and listeners over system calls that follow a script. */
@Timeout(60)
class TcpTest {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("127.0.0.1", 1);

    private final FakeProvider provider = new FakeProvider();
    private final EventLoop loop;
    private final FakePoller poller;
    private final FakeSource source = new FakeSource(provider, "socket");

    TcpTest() throws IOException {
        loop = EventLoop.open(provider);
        poller = provider.poller;
        provider.next = source;
    }

    @AfterEach
    void closeLeavesNothingOpen() {
        loop.close();
        assertThat(source.isOpen()).isFalse();
        assertThat(source.releases).isEqualTo(1);
        assertThat(loop.reactor().registrationCount()).isZero();
    }

    private TcpStream connected() throws IOException {
        poller.onPoll = () -> {
            poller.ready(source, true, true, false);
            poller.onPoll = () -> {};
        };
        return loop.blockOn(TcpStream.connect(ADDRESS));
    }

    // ---- listening

    @Test
    void aListenerThatIsOpenedWhileAnotherThreadClosesTheLoopIsClosedWithIt() throws Exception {
        poller.onCall = () -> {
            poller.onCall = () -> {};
            Thread closer = new Thread(loop::close, "closer");
            closer.start();
            try {
                closer.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };

        try {
            assertThat(TcpListener.bind(loop, ADDRESS, ListenOptions.DEFAULT).isOpen())
                    .isFalse();
        } catch (PollerClosedException e) {
            // Refused: as good.
        }

        assertThat(loop.awaitClosed(0, TimeUnit.SECONDS)).isTrue();
        assertThat(source.isOpen()).isFalse();
    }

    // ---- writing

    @Test
    void aGatheringWriteThatTakesSomeBuffersOnlyGoesOnWithTheOthersWithoutWaiting() throws IOException {
        TcpStream stream = connected();
        List<Integer> lengths = new ArrayList<>();
        // As a system that takes 1,024 buffers at a time, and whose send buffer is never full.
        source.onWrite = buffers -> {
            lengths.add(buffers.length);
            long written = 0;
            for (int i = 0; i < Math.min(1024, buffers.length); i++) {
                written += buffers[i].remaining();
                buffers[i].position(buffers[i].limit());
            }
            return written;
        };
        ByteBuffer[] buffers = new ByteBuffer[5000];
        Arrays.setAll(buffers, i -> ByteBuffer.allocate(3));

        assertThat(loop.blockOn(stream.writeAll(buffers))).isEqualTo(15_000);

        assertThat(lengths).containsExactly(5000, 3976, 2952, 1928, 904);
        assertThat(poller.calls.stream().filter(call -> call.startsWith("rearm socket WRITE")))
                .isEmpty();
    }

    @Test
    void aGatheringWriteWaitsWhenTheSocketIsFull() throws IOException {
        TcpStream stream = connected();
        source.onWrite = buffers -> {
            if (source.writes == 1) {
                buffers[0].position(2);
                return 2;
            }
            if (source.writes == 2) {
                poller.onPoll = () -> {
                    poller.onPoll = () -> {};
                    poller.ready(source, false, true, false);
                };
                return InputSource.WOULD_BLOCK;
            }
            buffers[0].position(3);
            return 1;
        };

        assertThat(loop.blockOn(stream.writeAll(new ByteBuffer[] {ByteBuffer.allocate(3), ByteBuffer.allocate(0)})))
                .isEqualTo(3);
        assertThat(source.writes).isEqualTo(3);
    }

    @Test
    void aShortWriteWaitsBeforeTheNextAttempt() throws IOException {
        TcpStream stream = connected();
        source.onWrite = buffers -> {
            buffers[0].get();
            poller.onPoll = () -> {
                poller.onPoll = () -> {};
                poller.ready(source, false, true, false);
            };
            return 1;
        };

        loop.blockOn(stream.writeAll(ByteBuffer.allocate(4)));

        assertThat(source.writes).isEqualTo(4);
        assertThat(poller.calls.stream().filter("rearm socket WRITE"::equals)).hasSize(3);
    }

    @Test
    void operationsWithoutRoomOrBytesEndAtOnceWithoutASystemCall() throws IOException {
        TcpStream stream = connected();
        ByteBuffer empty = ByteBuffer.allocate(0);

        assertThat(loop.blockOn(stream.read(empty))).isZero();
        assertThat(loop.blockOn(stream.write(empty))).isZero();
        assertThat(loop.blockOn(stream.write(new ByteBuffer[] {empty, empty}))).isZero();
        assertThat(loop.blockOn(stream.writeAll(new ByteBuffer[0]))).isZero();
        loop.blockOn(stream.writeAll(empty));

        assertThat(source.reads + source.writes).isZero();
    }

    // ---- slots and budgets

    @Test
    void aReadThatYieldsForItsBudgetIsStillTheOnlyOne() throws Exception {
        TcpStream stream = connected();
        source.onRead = buffers -> {
            buffers[0].put((byte) 1);
            return 1;
        };
        poller.ready(source, true, false, true);
        loop.turn(0);
        ByteBuffer dst = ByteBuffer.allocate(Budget.UNITS);
        // A step takes two units, one of them the read: the first read makes the last one end in the middle of a step.
        Task<?> reader = loop.spawn(stream.read(dst)
                .then(first -> Async.loop(() -> stream.read(dst).map(n -> dst.hasRemaining()))));
        Task<Integer> intruder = loop.spawn(Async.lazy(() -> stream.read(ByteBuffer.allocate(1))));

        loop.run();

        assertThat(reader.result()).isNull();
        assertThat(dst.hasRemaining()).isFalse();
        assertThatThrownBy(intruder::result)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("another read is under way");
    }

    @Test
    void aReadThatIsAlwaysReadyYieldsAfterItsBudget() throws IOException {
        TcpStream stream = connected();
        source.onRead = buffers -> {
            buffers[0].clear();
            return buffers[0].capacity();
        };
        ByteBuffer dst = ByteBuffer.allocate(1);
        int[] most = {0};
        List<Integer> readsAtTurn = new ArrayList<>();
        loop.spawn(Async.loop(() -> stream.read(dst.clear()).map(n -> source.reads < 10_000)));
        loop.spawnBackground(Async.loop(() -> {
            int before = readsAtTurn.isEmpty() ? 0 : readsAtTurn.get(readsAtTurn.size() - 1);
            most[0] = Math.max(most[0], source.reads - before);
            readsAtTurn.add(source.reads);
            return new YieldOnce().map(none -> true);
        }));

        loop.run();

        assertThat(source.reads).isEqualTo(10_000);
        assertThat(most[0]).isBetween(1, Budget.UNITS);
    }

    // ---- connecting

    @Test
    void aConnectThatTurnsOutToBeUnderWayStillWaitsAgain() throws IOException {
        int[] asked = {0};
        source.onFinishConnect = () -> ++asked[0] == 3;
        poller.onPoll = () -> poller.ready(source, asked[0] == 0, true, false);

        TcpStream stream = loop.blockOn(TcpStream.connect(ADDRESS));
        poller.onPoll = () -> {};

        assertThat(asked[0]).isEqualTo(3);
        assertThat(stream.isOpen()).isTrue();
    }

    @Test
    void aConnectThatFailsClosesItsSocketAndForgetsIt() {
        ConnectException refused = new ConnectException("refused");
        source.onFinishConnect = () -> {
            throw refused;
        };
        poller.ready(source, true, true, true);
        poller.onPoll = () -> poller.ready(source, true, true, true);

        assertThatThrownBy(() -> loop.blockOn(TcpStream.connect(ADDRESS))).isSameAs(refused);
        poller.onPoll = () -> {};

        assertThat(source.isOpen()).isFalse();
        assertThat(loop.reactor().registrationCount()).isZero();
    }

    @Test
    void aConnectThatIsCancelledClosesItsSocketAndForgetsIt() {
        Task<TcpStream> connect = loop.spawn(TcpStream.connect(ADDRESS));
        loop.turn(0);
        assertThat(loop.reactor().registrationCount()).isEqualTo(1);

        connect.cancel();

        assertThat(source.isOpen()).isFalse();
        assertThat(loop.reactor().registrationCount()).isZero();
    }

    @Test
    void aConnectThatTimesOutClosesItsSocketAndForgetsIt() {
        assertThatThrownBy(() -> loop.blockOn(Timers.timeout(Duration.ofMillis(1), TcpStream.connect(ADDRESS))))
                .isInstanceOf(io.thrust.AsyncTimeoutException.class)
                .hasMessageContaining("PT0.001S");

        assertThat(source.isOpen()).isFalse();
    }

    @Test
    void aTimeoutWithoutALoopReleasesWhatItBegan() {
        boolean[] cancelled = {false};
        Async<Void> inner = new Async<>() {
            @Override
            public boolean poll(io.thrust.task.Waker waker) {
                return PENDING;
            }

            @Override
            public Void result() {
                throw new IllegalStateException();
            }

            @Override
            public void cancel() {
                cancelled[0] = true;
            }
        };
        LocalExecutor bare = FakeParkers.executor();

        assertThatThrownBy(() -> bare.blockOn(Timers.timeout(Duration.ofSeconds(1), inner)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no event loop is running");

        assertThat(cancelled[0]).isTrue();
        closeSource();
    }

    // ---- listening

    @Test
    void aListenerThatCannotSayItsAddressIsClosedAndForgotten() {
        source.directions = Interest.READ;
        IOException failure = new IOException("no address");
        source.onLocalAddress = () -> {
            throw failure;
        };

        assertThatThrownBy(() -> TcpListener.bind(loop, ADDRESS, ListenOptions.DEFAULT))
                .isSameAs(failure);

        assertThat(source.isOpen()).isFalse();
        assertThat(loop.reactor().registrationCount()).isZero();
    }

    @Test
    void whatFailsTwiceTheSameWayOrOtherwiseKeepsItsFirstFailure() {
        IOException failure = new IOException("no address");
        source.directions = Interest.READ;
        source.onLocalAddress = () -> {
            throw failure;
        };
        source.onRelease = () -> {
            throw failure;
        };
        assertThatThrownBy(() -> TcpListener.bind(loop, ADDRESS, ListenOptions.DEFAULT))
                .isSameAs(failure)
                .hasNoSuppressedExceptions();

        FakeSource other = new FakeSource(provider, "other");
        provider.next = other;
        IllegalStateException release = new IllegalStateException("release");
        other.onFinishConnect = () -> {
            throw failure;
        };
        other.onRelease = () -> {
            throw release;
        };
        poller.ready(other, false, true, false);
        assertThatThrownBy(() -> loop.blockOn(TcpStream.connect(ADDRESS)))
                .isSameAs(failure)
                .hasSuppressedException(release);
    }

    @Test
    void anAcceptThatIsCancelledLeavesTheConnectionToTheNext() throws IOException {
        source.directions = Interest.READ;
        TcpListener listener = TcpListener.bind(loop, ADDRESS, ListenOptions.DEFAULT);
        Task<TcpStream> first = loop.spawn(listener.accept());
        loop.turn(0);
        source.waiting.add(new FakeSource(provider, "accepted"));
        poller.ready(source, true, false, false);
        first.cancel();

        TcpStream accepted = loop.blockOn(listener.accept());

        assertThat(accepted).hasToString("accepted");
    }

    @Test
    void oneReportIsEnoughToAcceptAllThatWait() throws IOException {
        source.directions = Interest.READ;
        TcpListener listener = TcpListener.bind(loop, ADDRESS, ListenOptions.DEFAULT);
        for (int i = 0; i < 3; i++) {
            source.waiting.add(new FakeSource(provider, "accepted " + i));
        }
        poller.ready(source, true, false, false);
        List<String> accepted = new ArrayList<>();

        loop.blockOn(Async.loop(() -> listener.accept().map(stream -> {
            accepted.add(stream.toString());
            return accepted.size() < 3;
        })));

        assertThat(accepted).containsExactly("accepted 0", "accepted 1", "accepted 2");
    }

    // ---- threads

    @Test
    void bindMakesTheThreadTheOwnerOfTheLoop() throws Exception {
        source.directions = Interest.READ;
        TcpListener.bind(loop, ADDRESS, ListenOptions.DEFAULT);
        List<Throwable> thrown = new ArrayList<>();
        Thread other = new Thread(
                () -> thrown.add(org.assertj.core.api.Assertions.catchThrowable(() -> loop.blockOn(new YieldOnce()))));
        other.start();
        other.join();

        assertThat(thrown.get(0)).isInstanceOf(IllegalStateException.class).hasMessageContaining("submit");
        assertThat(loop.isClosed()).isFalse();
        loop.blockOn(new YieldOnce());
    }

    private void closeSource() {
        try {
            source.close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
