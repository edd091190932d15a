package io.thrust.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thrust.poll.InputSource;
import io.thrust.poll.Interest;
import io.thrust.poll.Mode;
import io.thrust.poll.PipePair;
import io.thrust.poll.Poller;
import io.thrust.poll.PollerClosedException;
import io.thrust.poll.PollerOwnershipException;
import io.thrust.poll.ReadyEvents;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.function.Executable;

/** Chapter 7: threads. */
interface ThreadRules extends Chapter {

    @Rule("7.1")
    default void aStrangersCallIsRefused() throws Exception {
        Watch watch = fixture().watch();
        Poller poller = watch.poller();
        Connection pair = fixture().connection();
        Connection other = fixture().connection();
        watch.register(pair.server(), 1, Interest.READ, Mode.EDGE);
        String owner = Thread.currentThread().getName();
        ReadyEvents batch = poller.events();
        Helper stranger = fixture().helper("tck-stranger", () -> {
            expectRefused(owner, "register", () -> poller.register(other.server(), 2, Interest.READ, Mode.EDGE));
            expectRefused(owner, "modify", () -> poller.modify(pair.server(), 3, Interest.WRITE, Mode.EDGE));
            expectRefused(owner, "rearm", () -> poller.rearm(pair.server(), Interest.READ));
            expectRefused(owner, "deregister", () -> poller.deregister(pair.server()));
            expectRefused(owner, "poll", () -> poller.poll(0));
            assertSame(batch, poller.events(), "events() may be asked for by any thread");
        });
        stranger.join();
        fixture().write(other.client(), "y");
        watch.expectSilence("the refused calls must change nothing");
        fixture().write(pair.client(), "x");
        Event event = watch.expectReadable(1, "the registration has to stay as it was");
        assertFalse(event.writable(), () -> event + " is writable, which a refused modify asked for");
    }

    private static void expectRefused(String owner, String call, Executable body) {
        PollerOwnershipException refused =
                assertThrows(PollerOwnershipException.class, body, () -> call + " by another thread than the owner");
        String message = String.valueOf(refused.getMessage());
        assertTrue(
                message.contains(owner) && message.contains("tck-stranger"),
                () -> "the message of " + call + " does not name both threads: " + message);
    }

    @Rule("7.2")
    default void aStrangerCannotCloseARegisteredSource() throws Exception {
        Watch watch = fixture().watch();
        Connection pair = fixture().connection();
        watch.register(pair.server(), 1, Interest.READ, Mode.EDGE);
        fixture()
                .helper(
                        "tck-stranger",
                        () -> assertThrows(
                                IllegalStateException.class, pair.server()::close, "close of a registered source"))
                .join();
        assertTrue(pair.server().isOpen(), "a refused close closed the source");
        fixture().write(pair.client(), "x");
        watch.expectReadable(1, "the source stays registered");
        watch.poller().deregister(pair.server());
        fixture().helper("tck-holder", pair.server()::close).join();
        assertFalse(
                pair.server().isOpen(), "a source that is not registered may be closed by any thread that holds it");
    }

    @Rule("7.3")
    default void theFirstUserOwnsThePoller() throws Exception {
        Poller poller = fixture().poller();
        PipePair pipe = fixture().pipe();
        fixture().write(pipe.writer(), "x");
        Helper user = fixture().helper("tck-owner", () -> {
            poller.register(pipe.reader(), 1, Interest.READ, Mode.EDGE);
            assertEquals(1, poller.poll(fixture().environment().patienceNanos()), "entries");
            assertEquals(1, poller.events().key(0));
        });
        user.join();
        assertThrows(PollerOwnershipException.class, () -> poller.poll(0), "poll by the thread that only opened it");
        assertTrue(poller.isOpen(), "isOpen may be asked by any thread");
        assertEquals(fixture().provider().name(), poller.provider().name(), "provider may be asked by any thread");
        poller.wakeup();
        poller.close();
        assertFalse(poller.isOpen(), "close may be called by any thread");
    }

    @Rule("7.4")
    default void closeEndsAPollUnderWay() throws Exception {
        for (int round = 0; round < 10; round++) {
            Poller poller = fixture().poller();
            Connection pair = fixture().connection();
            CountDownLatch entered = new CountDownLatch(1);
            long wait = round % 2 == 0 ? Poller.FOREVER : Long.MAX_VALUE;
            Helper owner = fixture().helper("tck-owner", () -> {
                try {
                    poller.register(pair.server(), 1, Interest.READ, Mode.EDGE);
                } finally {
                    entered.countDown();
                }
                int count;
                try {
                    count = poller.poll(wait);
                } catch (PollerClosedException e) {
                    // It was closed before the poll began.
                    return;
                }
                assertEquals(0, count, "entries of a poll that was ended by close");
                assertThrows(PollerClosedException.class, () -> poller.poll(0), "the next poll");
            });
            entered.await();
            if (round >= 5) {
                fixture().letItWait(owner.thread());
            }
            poller.close();
            assertFalse(poller.isOpen(), "a closed poller says that it is open");
            owner.join();
            assertTrue(pair.server().isOpen(), "a source was closed together with its poller");
            Watch next = fixture().watch();
            next.register(pair.server(), 2, Interest.READ, Mode.EDGE);
            fixture().write(pair.client(), "x");
            next.expectReadable(2, "registered with another poller after the first was closed during a poll");
        }
    }

    @Rule("7.5")
    default void closeIsIdempotentAcrossThreads() throws Exception {
        for (int i = 0; i < fixture().environment().rounds(200); i++) {
            Poller poller = fixture().provider().openPoller(4);
            PipePair pipe = fixture().pipe();
            poller.register(pipe.reader(), 1, Interest.READ, Mode.EDGE);
            CyclicBarrier barrier = new CyclicBarrier(2);
            Helper other = fixture().helper("tck-closer", () -> {
                barrier.await();
                poller.close();
            });
            barrier.await();
            poller.close();
            other.join();
            poller.close();
            assertFalse(poller.isOpen(), "closed by two threads at once");
            pipe.reader().close();
            pipe.writer().close();
        }
    }

    @Rule("7.6")
    default void closeRacesWithEveryCall() throws Exception {
        for (int i = 0; i < fixture().environment().rounds(300); i++) {
            Poller poller = fixture().provider().openPoller(4);
            PipePair pipe = fixture().provider().pipe();
            PipePair other = fixture().provider().pipe();
            CyclicBarrier barrier = new CyclicBarrier(2);
            int delay = i % 50;
            Helper closer = fixture().helper("tck-closer", () -> {
                barrier.await();
                for (int n = 0; n < delay * 20; n++) {
                    Thread.onSpinWait();
                }
                poller.close();
            });
            barrier.await();
            PollerClosedException closed = assertThrows(PollerClosedException.class, () -> {
                while (true) {
                    poller.register(pipe.reader(), 1, Interest.READ, Mode.EDGE);
                    poller.register(other.reader(), 2, Interest.READ, Mode.EDGE);
                    poller.modify(pipe.reader(), 3, Interest.READ, Mode.EDGE);
                    poller.rearm(pipe.reader(), Interest.READ);
                    poller.poll(0);
                    poller.deregister(pipe.reader());
                    poller.deregister(other.reader());
                }
            });
            assertTrue(closed != null, "calls that race with close");
            closer.join();
            for (PipePair each : List.of(pipe, other)) {
                each.reader().close();
                each.writer().close();
            }
        }
    }

    @Rule("7.7")
    default void wakeupsInFlightHitNoStranger() throws Exception {
        for (int i = 0; i < fixture().environment().rounds(300); i++) {
            Poller poller = fixture().provider().openPoller(4);
            AtomicBoolean stop = new AtomicBoolean();
            CyclicBarrier barrier = new CyclicBarrier(3);
            Helper waker = fixture().helper("tck-waker", () -> {
                barrier.await();
                while (!stop.get()) {
                    poller.wakeup();
                }
                // It is closed by now, for sure.
                poller.wakeup();
            });
            Helper owner = fixture().helper("tck-owner", () -> {
                barrier.await();
                try {
                    while (true) {
                        poller.poll(1_000_000);
                    }
                } catch (PollerClosedException e) {
                    // As it has to end.
                }
            });
            barrier.await();
            poller.close();
            // Descriptors opened now may have the numbers that the poller had.
            PipePair[] pipes = {
                fixture().provider().pipe(), fixture().provider().pipe()
            };
            owner.join();
            PipePair[] later = {
                fixture().provider().pipe(), fixture().provider().pipe()
            };
            stop.set(true);
            waker.join();
            for (PipePair pipe : List.of(pipes[0], pipes[1], later[0], later[1])) {
                assertEquals(
                        InputSource.WOULD_BLOCK,
                        pipe.reader().read(ByteBuffer.allocate(8)),
                        "a wake-up of a closed poller was written into another pipe");
                pipe.reader().close();
                pipe.writer().close();
            }
        }
    }

    @Rule("7.8")
    default void workHandedOverTakesEffect() throws Exception {
        Poller poller = fixture().poller();
        Queue<Helper.Body> work = new ConcurrentLinkedQueue<>();
        ConcurrentLinkedQueue<Long> seen = new ConcurrentLinkedQueue<>();
        AtomicBoolean stop = new AtomicBoolean();
        Helper owner = fixture().helper("tck-owner", () -> {
            while (!stop.get()) {
                int count = poller.poll(Poller.FOREVER);
                ReadyEvents batch = poller.events();
                for (int i = 0; i < count; i++) {
                    seen.add(batch.key(i));
                }
                Helper.Body body;
                while ((body = work.poll()) != null) {
                    body.run();
                }
            }
        });
        for (long key = 1; key <= 50; key++) {
            PipePair pipe = fixture().pipe();
            long now = key;
            // The owner may be parked: registering and modifying travel to it, and take effect at its next poll.
            boolean viaModify = key % 2 == 0;
            work.add(() -> {
                poller.register(pipe.reader(), now, viaModify ? Interest.NONE : Interest.READ, Mode.EDGE);
                if (viaModify) {
                    poller.modify(pipe.reader(), now, Interest.READ, Mode.EDGE);
                }
            });
            poller.wakeup();
            fixture().write(pipe.writer(), "x");
            fixture().await("the event of key " + now + ", registered on request of another thread", () -> {
                owner.rethrow();
                return seen.contains(now);
            });
        }
        stop.set(true);
        poller.wakeup();
        owner.join();
    }

    @Rule("7.9")
    default void pollersOfTwoThreadsAreIndependent() throws Exception {
        int rounds = fixture().environment().rounds(2000);
        Helper[] helpers = new Helper[2];
        for (int n = 0; n < 2; n++) {
            Connection pair = fixture().connection();
            long key = n + 1L;
            helpers[n] = fixture().helper("tck-loop-" + n, () -> {
                Watch watch = fixture().watch();
                watch.register(pair.server(), key, Interest.READ, Mode.EDGE);
                for (int i = 0; i < rounds; i++) {
                    fixture().write(pair.client(), "x");
                    watch.expectReadable(key, "a loop beside another one, round " + i);
                    Fixture.drain(pair.server());
                    watch.rearm(pair.server(), Interest.READ);
                }
            });
        }
        for (Helper helper : helpers) {
            helper.join();
        }
    }

    @Rule("7.10")
    default void sourcesMoveBetweenThreads() throws Exception {
        Connection pair = fixture().connection();
        for (int i = 0; i < 5; i++) {
            long key = i;
            fixture()
                    .helper("tck-holder-" + i, () -> {
                        Watch watch = fixture().watch();
                        watch.register(pair.server(), key, Interest.READ, Mode.EDGE);
                        fixture().write(pair.client(), "x");
                        watch.expectReadable(key, "the source came from another thread");
                        assertEquals(1, Fixture.drain(pair.server()), "bytes");
                        if (key % 2 == 0) {
                            watch.poller().deregister(pair.server());
                        } else {
                            watch.poller().close();
                        }
                    })
                    .join();
        }
    }

    @Rule("7.11")
    default void aPollerNobodyUsedCanBeClosed() throws Exception {
        Poller unused = fixture().poller();
        fixture().helper("tck-closer", unused::close).join();
        assertFalse(unused.isOpen(), "closed by another thread");
        Poller woken = fixture().poller();
        woken.wakeup();
        fixture().helper("tck-closer", woken::close).join();
        assertThrows(PollerClosedException.class, () -> woken.poll(0), "poll of a closed poller that nobody owned");
    }
}
