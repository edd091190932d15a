package io.thrust.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thrust.poll.Interest;
import io.thrust.poll.Mode;
import io.thrust.poll.PipePair;
import io.thrust.poll.Poller;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Chapter 4: wake-ups. */
interface WakeupRules extends Chapter {
    /** How many hand-overs of rule 4.7 wait for each other. */
    int LOCKSTEP = 1_000;

    /** Polls with patience; fails if the poll had to be ended by its timeout. */
    private void expectWoken(Poller poller, String what) throws Exception {
        long start = System.nanoTime();
        int count = poller.poll(fixture().environment().patienceNanos());
        assertTrue(
                System.nanoTime() - start < fixture().environment().patienceNanos(),
                () -> what + ": the poll was not woken");
        assertEquals(0, count, () -> what + ": a wake-up is no event; entries");
    }

    private void expectWaits(Poller poller, String what) throws Exception {
        long start = System.nanoTime();
        int count = poller.poll(fixture().environment().silenceNanos());
        assertEquals(0, count, () -> what + ": entries");
        assertTrue(
                System.nanoTime() - start >= fixture().environment().silenceNanos(),
                () -> what + ": the poll ended early");
    }

    @Rule("4.1")
    default void aWakeupBeforeThePollEndsIt() throws Exception {
        Poller poller = fixture().poller();
        for (int i = 0; i < 3; i++) {
            poller.wakeup();
            expectWoken(poller, "woken before the poll");
            expectWaits(poller, "the poll after the one that was woken");
        }
    }

    @Rule("4.2")
    default void aWakeupDuringThePollEndsIt() throws Exception {
        Poller poller = fixture().poller();
        for (int i = 0; i < 5; i++) {
            Thread self = Thread.currentThread();
            CountDownLatch entered = new CountDownLatch(1);
            AtomicBoolean sent = new AtomicBoolean();
            Helper waker = fixture().helper("tck-waker", () -> {
                entered.await();
                fixture().letItWait(self);
                sent.set(true);
                poller.wakeup();
            });
            entered.countDown();
            expectWoken(poller, "woken during the poll");
            assertTrue(sent.get(), "the poll ended before it was woken");
            waker.join();
            expectWaits(poller, "the poll after the one that was woken");
        }
    }

    @Rule("4.3")
    default void wakeupsBeforeOnePollMerge() throws Exception {
        Poller poller = fixture().poller();
        expectWaits(poller, "nobody woke it");
        poller.wakeup();
        poller.wakeup();
        poller.wakeup();
        expectWoken(poller, "woken three times");
        expectWaits(poller, "three wake-ups end one poll");
        Helper waker = fixture().helper("tck-waker", () -> {
            poller.wakeup();
            poller.wakeup();
        });
        waker.join();
        expectWoken(poller, "woken twice by another thread");
        expectWaits(poller, "two wake-ups end one poll");
    }

    @Rule("4.4")
    default void aWakeupAfterThePollEndsTheNext() throws Exception {
        Watch watch = fixture().watch();
        PipePair pipe = fixture().pipe();
        watch.register(pipe.reader(), 1, Interest.READ, Mode.EDGE);
        for (int i = 0; i < 10; i++) {
            watch.poller().wakeup();
            expectWoken(watch.poller(), "woken before the poll");
            // No coalescing across polls, on the owner's thread and on another one.
            if (i % 2 == 0) {
                watch.poller().wakeup();
            } else {
                fixture().helper("tck-waker", watch.poller()::wakeup).join();
            }
            expectWoken(watch.poller(), "woken after the former poll returned");
            fixture().write(pipe.writer(), "x");
            watch.expectReadable(1, "a byte was written");
            watch.poller().wakeup();
            expectWoken(watch.poller(), "woken while the batch is dispatched");
            Fixture.drain(pipe.reader());
            watch.rearm(pipe.reader(), Interest.READ);
        }
    }

    @Rule("4.5")
    default void aWakeupIsNoEvent() throws Exception {
        Poller poller = fixture().poller();
        long[] keys = {0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE};
        for (long key : keys) {
            for (Mode mode : fixture().provider().modes()) {
                poller.register(fixture().pipe().reader(), key, Interest.READ, mode);
            }
        }
        for (int i = 0; i < 3; i++) {
            poller.wakeup();
            expectWoken(poller, "woken, with idle sources of remarkable keys");
            assertEquals(0, poller.events().size(), "size of the batch after a wake-up");
        }
    }

    @Rule("4.6")
    default void aWakeupTakesNoEventAway() throws Exception {
        fixture().inEachMode(mode -> {
            Watch watch = fixture().watch();
            Connection pair = fixture().connection();
            watch.register(pair.server(), 1, Interest.READ, mode);
            for (int i = 0; i < 10; i++) {
                fixture().write(pair.client(), "x");
                watch.poller().wakeup();
                boolean came =
                        !watch.poll(fixture().environment().patienceNanos()).isEmpty();
                if (!came) {
                    watch.expectReadable(1, "a byte was written before a poll that was woken too");
                }
                Fixture.drain(pair.server());
                if (mode == Mode.EDGE) {
                    watch.rearm(pair.server(), Interest.READ);
                } else if (mode == Mode.ONE_SHOT) {
                    watch.modify(pair.server(), 1, Interest.READ, mode);
                }
                watch.pollNow();
            }
        });
    }

    @Rule("4.7")
    default void handOversAreNeverMissed() throws Exception {
        Poller poller = fixture().poller();
        int handOvers = fixture().environment().rounds(100_000);
        Queue<Integer> queue = new ConcurrentLinkedQueue<>();
        AtomicInteger taken = new AtomicInteger();
        Helper producer = fixture().helper("tck-producer", () -> {
            for (int i = 0; i < handOvers; i++) {
                queue.add(i);
                poller.wakeup();
                // At first each hand-over depends on its own wake-up; later one now and then, the others being in the
                // midst of a race. This waits for longer than the poll does, which is to find out.
                if (i < LOCKSTEP || i % 37 == 0) {
                    long deadline =
                            System.nanoTime() + 3 * fixture().environment().patienceNanos();
                    while (taken.get() <= i && System.nanoTime() - deadline < 0) {
                        Thread.yield();
                    }
                }
            }
        });
        int next = 0;
        while (next < handOvers) {
            long start = System.nanoTime();
            poller.poll(fixture().environment().patienceNanos());
            boolean timedOut =
                    System.nanoTime() - start >= fixture().environment().patienceNanos();
            int expected = next;
            Integer item = queue.poll();
            assertFalse(
                    timedOut && item != null, () -> "a poll slept through hand-over " + expected + " of " + handOvers);
            if (timedOut) {
                producer.rethrow();
                assertFalse(producer.isDone(), "hand-overs are missing");
            }
            while (item != null) {
                assertEquals(next, item, "order of the hand-overs");
                next++;
                item = queue.poll();
            }
            // Only now, so that what is handed over next is not taken along without its wake-up.
            taken.lazySet(next);
        }
        producer.join();
    }

    @Rule("4.8")
    default void wakeupAfterCloseDoesNothing() throws Exception {
        Poller poller = fixture().poller();
        poller.close();
        poller.wakeup();
        fixture().helper("tck-waker", poller::wakeup).join();
        Poller used = fixture().poller();
        used.wakeup();
        used.poll(0);
        used.close();
        used.wakeup();
    }

    @Rule("4.9")
    default void aFloodOfWakeupsLeavesNothingBehind() throws Exception {
        Watch watch = fixture().watch();
        Poller poller = watch.poller();
        PipePair pipe = fixture().pipe();
        watch.register(pipe.reader(), 1, Interest.READ, Mode.EDGE);
        int each = fixture().environment().rounds(10_000) / 8 + 1;
        CountDownLatch go = new CountDownLatch(1);
        List<Helper> wakers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            wakers.add(fixture().helper("tck-waker-" + i, () -> {
                go.await();
                for (int n = 0; n < each; n++) {
                    poller.wakeup();
                }
            }));
        }
        go.countDown();
        boolean running = true;
        while (running) {
            running = wakers.stream().anyMatch(waker -> !waker.isDone());
            poller.poll(1_000_000);
        }
        for (Helper waker : wakers) {
            waker.join();
        }
        poller.poll(0);
        expectWaits(poller, "after a flood of wake-ups that ended before");
        fixture().write(pipe.writer(), "x");
        watch.expectReadable(1, "a byte was written after a flood of wake-ups");
        // The same while nobody polls: a full pipe or counter is no failure.
        for (int i = 0; i < each * 8; i++) {
            poller.wakeup();
        }
        expectWoken(poller, "woken many times while nobody polled");
        expectWaits(poller, "all those wake-ups end one poll");
    }

    @Rule("4.10")
    default void aWakeupConcernsItsPollerOnly() throws Exception {
        Poller one = fixture().poller();
        Poller other = fixture().poller();
        for (int i = 0; i < 3; i++) {
            one.wakeup();
            expectWaits(other, "another poller was woken");
            expectWoken(one, "woken before the other one waited");
        }
    }

    @Rule("4.11")
    default void aWakeupEndsAPollBesidesEvents() throws Exception {
        Watch watch = fixture().watch(2);
        for (long key = 0; key < 6; key++) {
            PipePair pipe = fixture().pipe();
            watch.register(pipe.reader(), key, Interest.READ, Mode.EDGE);
            fixture().write(pipe.writer(), "x");
        }
        // With more ready sources than places the wake-up must not use a place, nor be lost for want of one.
        watch.poller().wakeup();
        watch.collect(List.of(0L, 1L, 2L, 3L, 4L, 5L), 30, "six ready pipes, a capacity of two, and a wake-up");
        watch.pollNow();
        expectWaits(watch.poller(), "all pipes were reported and the wake-up was used");
        watch.poller().wakeup();
        expectWoken(watch.poller(), "woken after a batch that was full");
    }
}
