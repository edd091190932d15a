package io.thrust.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thrust.EventLoop;
import io.thrust.Timers;
import io.thrust.net.TcpListener;
import io.thrust.net.TcpStream;
import io.thrust.poll.Poller;
import io.thrust.poll.PollerProvider;
import io.thrust.poll.SourceClosedException;
import io.thrust.task.Async;
import io.thrust.task.Task;
import io.thrust.task.YieldOnce;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Loops and threads: who may do what, submitting, idling, and closing everything. */
@OnEveryBackend
class LoopThreadsTest extends LoopTest {
    /** Between two timers; a loop that does not wait polls a thousand times as often. */
    private static final Duration SILENCE = Duration.ofMillis(200);

    private static final int MOST_IDLE_POLLS = 20;

    LoopThreadsTest(PollerProvider provider) {
        super(provider);
    }

    // ---- the current loop

    @Test
    void theCurrentLoopIsKnownInsideTasksOnly() throws IOException {
        assertThat(loop.blockOn(Async.lazy(() -> Async.ready(EventLoop.current()))))
                .isSameAs(loop);

        assertThatThrownBy(EventLoop::current)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no event loop is running on thread")
                .hasMessageContaining("blockOn");
        assertThatThrownBy(() -> TcpStream.connect(loopback(1)).poll(() -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no event loop");
    }

    @Test
    void aLoopInsideATaskOfAnotherIsTheCurrentOneMeanwhile() throws IOException {
        try (EventLoop inner = EventLoop.open(provider)) {
            List<EventLoop> seen = new ArrayList<>();
            loop.blockOn(Async.lazy(() -> {
                inner.spawn(Timers.sleep(Duration.ofMillis(1)).map(none -> seen.add(EventLoop.current())));
                inner.run();
                seen.add(EventLoop.current());
                return Async.ready(null);
            }));
            assertThat(seen).containsExactly(inner, loop);
        }
    }

    @Test
    void anotherThreadIsRefusedWithTheNamesOfBoth() throws Exception {
        Pair pair = pair();
        List<Throwable> thrown = new ArrayList<>();
        onOtherThread(() -> {
            thrown.add(catchThrowable(() -> loop.spawn(new YieldOnce())));
            thrown.add(catchThrowable(loop::run));
            thrown.add(catchThrowable(() -> pair.client().close()));
            thrown.add(catchThrowable(this::listen));
        });

        assertThat(thrown)
                .hasSize(4)
                .allSatisfy(t -> assertThat(t)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("\"" + Thread.currentThread().getName() + "\"")
                        .hasMessageContaining("\"other\""));
        assertThat(pair.client().isOpen()).isTrue();
    }

    // ---- submit

    @Test
    void manyThreadsSubmitWorkThatUsesSockets() throws Exception {
        try (TcpListener listener = listen()) {
            AtomicInteger right = new AtomicInteger();
            CountDownLatch all = new CountDownLatch(8);
            for (int t = 0; t < 8; t++) {
                int number = t;
                start("submitter " + t, () -> {
                    try {
                        for (int i = 0; i < 25; i++) {
                            String message = number + "/" + i;
                            CompletableFuture<ByteBuffer> answer =
                                    loop.submit(() -> TcpStream.connect(listener.localAddress())
                                            .then(stream -> stream.writeAll(bytes(message))
                                                    .then(none -> fill(stream, message.length()))
                                                    .map(received -> {
                                                        close(stream);
                                                        return received;
                                                    })));
                            if (text(answer.get(20, TimeUnit.SECONDS)).equals(message)) {
                                right.incrementAndGet();
                            }
                        }
                    } finally {
                        all.countDown();
                    }
                });
            }
            loop.spawnBackground(echoServer(listener));
            start("stopper", () -> {
                all.await();
                loop.submit(() -> {
                    stop.cancel();
                    return Async.ready(null);
                });
            });
            stop = loop.spawn(Timers.sleep(Duration.ofHours(1)));

            loop.run();

            assertThat(right.get()).isEqualTo(8 * 25);
        }
    }

    private volatile Task<?> stop;

    @Test
    void virtualThreadsSubmitAndWait() throws Exception {
        MethodHandle startVirtualThread = virtualThreads();
        assumeTrue(startVirtualThread != null, "this JDK has no virtual threads");
        int threads = 1000;
        AtomicInteger sum = new AtomicInteger();
        CountDownLatch all = new CountDownLatch(threads);
        stop = loop.spawn(Timers.sleep(Duration.ofHours(1)));
        loop.spawn(Async.lazy(() -> {
            for (int i = 0; i < threads; i++) {
                int number = i;
                startVirtual(startVirtualThread, () -> {
                    sum.addAndGet(
                            loop.submit(() -> Timers.sleep(Duration.ofMillis(1)).map(none -> number))
                                    .join());
                    all.countDown();
                    if (all.getCount() == 0) {
                        loop.submit(() -> {
                            stop.cancel();
                            return Async.ready(null);
                        });
                    }
                });
            }
            return Async.ready(null);
        }));

        loop.run();

        assertThat(sum.get()).isEqualTo(threads * (threads - 1) / 2);
    }

    private static MethodHandle virtualThreads() {
        try {
            return MethodHandles.publicLookup()
                    .findStatic(
                            Thread.class, "startVirtualThread", MethodType.methodType(Thread.class, Runnable.class));
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    private static void startVirtual(MethodHandle start, Runnable task) {
        try {
            Thread started = (Thread) start.invokeExact(task);
            assertThat(started).isNotNull();
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }

    // ---- idling

    @Test
    void anIdleLoopDoesNotPoll() throws Exception {
        loop.close();
        AtomicInteger polls = new AtomicInteger();
        PollerProvider counting = new Named(provider) {
            @Override
            public Poller openPoller(int batchCapacity) throws IOException {
                return CountingPoller.over(super.openPoller(batchCapacity), polls);
            }
        };
        // The polls that were made when a timer fired, and when the next one did, with nothing to do in between.
        List<Integer> pollsAtTimers = new CopyOnWriteArrayList<>();
        CountDownLatch second = new CountDownLatch(2);
        AtomicReference<EventLoop> idle = new AtomicReference<>();
        start("idle loop", () -> {
            try (EventLoop loop = EventLoop.open(counting);
                    TcpListener listener = TcpListener.bind(loop, loopback(0), io.thrust.poll.ListenOptions.DEFAULT)) {
                idle.set(loop);
                TcpStream client = loop.blockOn(Async.lazy(() -> {
                    Task<TcpStream> accepted = loop.spawn(listener.accept());
                    return TcpStream.connect(listener.localAddress())
                            .then(stream -> accepted.join().map(server -> {
                                // Half-closed by the peer, and full: neither may keep the loop busy.
                                try {
                                    server.shutdownOutput();
                                } catch (IOException e) {
                                    throw new AssertionError(e);
                                }
                                loop.spawnBackground(server.read(ByteBuffer.allocate(1)));
                                return stream;
                            }));
                }));
                loop.spawn(client.writeAll(ByteBuffer.allocate(64 << 20)));
                loop.spawnBackground(listener.accept());
                loop.spawn(Timers.sleep(Duration.ofHours(1)));
                // What the start has caused is over long before the first, or costs a few polls.
                int[] timers = {0};
                loop.spawn(Async.loop(() -> Timers.sleep(SILENCE).map(none -> {
                    pollsAtTimers.add(polls.get());
                    second.countDown();
                    return ++timers[0] < 2;
                })));
                loop.run();
            }
        });
        assertThat(second.await(20, TimeUnit.SECONDS)).isTrue();

        assertThat(pollsAtTimers.get(1) - pollsAtTimers.get(0)).isBetween(1, MOST_IDLE_POLLS);
        idle.get().close();
        assertThat(idle.get().awaitClosed(20, TimeUnit.SECONDS)).isTrue();
    }

    // ---- closing

    @Test
    void closeClosesEverythingThatTheLoopHas() throws Exception {
        loop.close();
        int before = descriptors();
        loop = EventLoop.open(provider);
        List<Pair> pairs = fill();

        loop.close();

        assertThat(descriptors()).isLessThanOrEqualTo(before);
        assertClosed(pairs);
    }

    @Test
    void closeByAnotherThreadClosesEverythingOfALoopThatDoesNotRun() throws Exception {
        loop.close();
        int before = descriptors();
        loop = EventLoop.open(provider);
        List<Pair> pairs = fill();

        onOtherThread(loop::close);

        assertDescriptors(before);
        assertClosed(pairs);
    }

    @Test
    void closeByAnotherThreadClosesEverythingOfALoopThatRuns() throws Exception {
        loop.close();
        int before = descriptors();
        loop = EventLoop.open(provider);
        List<Pair> pairs = fill();
        loop.spawn(Timers.sleep(Duration.ofMillis(5)).map(none -> start("closer", loop::close)));

        assertThatThrownBy(() -> loop.blockOn(Timers.sleep(Duration.ofHours(1))))
                .isInstanceOf(CancellationException.class);

        assertThat(loop.awaitClosed(0, TimeUnit.SECONDS)).isTrue();
        assertDescriptors(before);
        assertClosed(pairs);
    }

    /** Thirty connections with a read and a write pending on each, an accept, and sleepers. */
    private List<Pair> fill() throws IOException {
        TcpListener listener = listen();
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            pairs.add(pair(listener));
        }
        for (Pair pair : pairs) {
            loop.spawn(pair.client().read(ByteBuffer.allocate(1)));
            loop.spawnBackground(pair.server().writeAll(ByteBuffer.allocateDirect(8 << 20)));
            loop.spawn(Timers.sleep(Duration.ofHours(1)));
        }
        loop.spawn(listener.accept());
        loop.turn(0);
        loop.turn(0);
        return pairs;
    }

    private void assertClosed(List<Pair> pairs) {
        assertThat(loop.reactor().registrationCount()).isZero();
        assertThat(loop.reactor().timers().size()).isZero();
        assertThat(pairs).allSatisfy(pair -> {
            assertThat(pair.client().isOpen() || pair.server().isOpen()).isFalse();
            assertThatThrownBy(() -> pair.client().pollRead(ByteBuffer.allocate(1), () -> {}))
                    .isInstanceOf(SourceClosedException.class);
        });
        assertThatThrownBy(() -> loop.spawn(new YieldOnce())).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> loop.submit(new YieldOnce())).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(this::listen).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void twoHundredLoopsOneAfterTheOtherLeaveNoDescriptor() throws Exception {
        pair().close();
        int before = descriptors();
        for (int i = 0; i < 200; i++) {
            try (EventLoop other = EventLoop.open(provider)) {
                TcpListener listener = TcpListener.bind(other, loopback(0), io.thrust.poll.ListenOptions.DEFAULT);
                other.spawn(listener.accept());
                other.turn(0);
            }
        }
        assertDescriptors(before);
    }
}
