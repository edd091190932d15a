package io.thrust.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thrust.poll.Interest;
import io.thrust.poll.Mode;
import io.thrust.poll.PipePair;
import io.thrust.poll.Poller;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;

/** Chapter 3: time. */
interface TimeRules extends Chapter {

    /** Polls a poller with nothing ready; fails if it ends too early or finds something. Returns the time taken. */
    private long pollIdle(Poller poller, long timeoutNanos, String what) throws IOException {
        long start = System.nanoTime();
        int count = poller.poll(timeoutNanos);
        long took = System.nanoTime() - start;
        assertEquals(0, count, () -> what + ": entries");
        assertTrue(took >= timeoutNanos, () -> what + ": it ended after " + took + " ns of " + timeoutNanos);
        return took;
    }

    @Rule("3.1")
    default void anEmptyPollerWaitsItsTimeout() throws Exception {
        Poller poller = fixture().poller();
        pollIdle(poller, 100_000_000, "a poller without sources");
        PipePair pipe = fixture().pipe();
        poller.register(pipe.reader(), 1, Interest.READ, Mode.EDGE);
        pollIdle(poller, 100_000_000, "a poller with an idle pipe");
    }

    @Rule("3.2")
    default void zeroFetchesWithoutWaiting() throws Exception {
        Poller poller = fixture().poller();
        assertEquals(0, poller.poll(0), "entries of an empty poller");
        PipePair pipe = fixture().pipe();
        Connection pair = fixture().connection();
        poller.register(pipe.reader(), 1, Interest.READ, Mode.EDGE);
        poller.register(pair.client(), 2, Interest.READ, Mode.EDGE);
        for (int i = 0; i < 100; i++) {
            assertEquals(0, poller.poll(0), "entries of a poller whose sources are idle");
        }
        for (int i = 0; i < 20; i++) {
            fixture().write(pipe.writer(), "x");
            assertEquals(1, poller.poll(0), "a byte was in the pipe before poll(0); entries");
            Fixture.drain(pipe.reader());
            poller.rearm(pipe.reader(), Interest.READ);
            assertEquals(0, poller.poll(0), "the pipe was emptied; entries");
        }
    }

    @Rule("3.3")
    default void otherNegativesAreRefused() throws Exception {
        Poller poller = fixture().poller();
        for (long wrong : new long[] {-2, -1_000_000_000, Long.MIN_VALUE}) {
            // A poll that waits for ever instead is ended by this.
            poller.wakeup();
            assertThrows(IllegalArgumentException.class, () -> poller.poll(wrong), () -> "a timeout of " + wrong);
        }
        poller.poll(0);
        pollIdle(poller, 1_000_000, "after refused timeouts");
    }

    @Rule("3.4")
    default void foreverEndsByAWakeupOnly() throws Exception {
        longWait(Poller.FOREVER);
    }

    @Rule("3.5")
    default void hugeTimeoutsWait() throws Exception {
        for (long timeout : new long[] {
            Duration.ofDays(365).toNanos(),
            Duration.ofDays(20_000).toNanos(),
            (long) Integer.MAX_VALUE * 1_000_000,
            ((long) Integer.MAX_VALUE + 5) * 1_000_000,
            Long.MAX_VALUE
        }) {
            longWait(timeout);
        }
    }

    /** Starts a poll that must wait for long, and ends it by a wake-up. */
    private void longWait(long timeout) throws Exception {
        Poller poller = fixture().poller();
        Thread self = Thread.currentThread();
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        AtomicBoolean sent = new AtomicBoolean();
        AtomicBoolean closed = new AtomicBoolean();
        Helper waker = fixture().helper("tck-waker", () -> {
            entered.await();
            fixture().letItWait(self);
            LockSupport.parkNanos(fixture().environment().silenceNanos());
            sent.set(true);
            poller.wakeup();
            if (!ended.await(fixture().environment().patienceNanos(), TimeUnit.NANOSECONDS)) {
                closed.set(true);
                poller.close();
            }
        });
        entered.countDown();
        assertEquals(0, poller.poll(timeout), "entries");
        ended.countDown();
        assertTrue(sent.get(), () -> "poll(" + timeout + ") ended before it was woken");
        waker.join();
        assertFalse(closed.get(), () -> "a wake-up did not end poll(" + timeout + "): it had to be closed");
        poller.close();
    }

    @Rule("3.6")
    default void shortTimeoutsAreNotCutOff() throws Exception {
        Poller poller = fixture().poller();
        PipePair pipe = fixture().pipe();
        poller.register(pipe.reader(), 1, Interest.READ, Mode.EDGE);
        for (long timeout : new long[] {1, 999, 100_000, 900_000, 999_999, 1_000_001, 3_000_000}) {
            for (int i = 0; i < 20; i++) {
                pollIdle(poller, timeout, "a timeout of " + timeout + " ns");
            }
        }
    }

    @Rule("3.7")
    default void eachPollWaitsItsOwnTimeout() throws Exception {
        Poller poller = fixture().poller();
        long silence = fixture().environment().silenceNanos();
        pollIdle(poller, silence, "the first of three polls");
        pollIdle(poller, silence * 2, "the second of three polls");
        pollIdle(poller, silence / 2, "the third of three polls");
    }

    @Rule("3.8")
    default void nothingInternalEndsAPollEarly() throws Exception {
        Watch watch = fixture().watch();
        Poller poller = watch.poller();
        long silence = fixture().environment().silenceNanos() / 2;
        Connection pair = fixture().connection();
        Connection other = fixture().connection();
        poller.register(pair.server(), 1, Interest.READ, Mode.EDGE);
        pollIdle(poller, silence, "after register");
        poller.modify(pair.server(), 2, Interest.READ, Mode.EDGE);
        pollIdle(poller, silence, "after modify");
        poller.rearm(pair.server(), Interest.READ);
        pollIdle(poller, silence, "after rearm");
        fixture().write(pair.client(), "x");
        watch.expectReadable(2, "a byte was written");
        Fixture.drain(pair.server());
        poller.rearm(pair.server(), Interest.READ);
        pollIdle(poller, silence, "after the data was read and rearm");
        poller.register(other.server(), 3, Interest.READ, Mode.EDGE);
        fixture().write(other.client(), "x");
        poller.deregister(other.server());
        pollIdle(poller, silence, "after a ready source was deregistered");
        poller.modify(pair.server(), 2, Interest.NONE, Mode.EDGE);
        fixture().write(pair.client(), "y");
        pollIdle(poller, silence, "with a ready source of interest NONE");
        poller.modify(pair.server(), 2, Interest.READ, Mode.EDGE);
        pair.server().close();
        pollIdle(poller, silence, "after a ready source was closed");
        poller.wakeup();
        assertEquals(0, poller.poll(Poller.FOREVER), "entries of a poll that was woken");
        pollIdle(poller, silence, "after a wake-up");
    }

    @Rule("3.9")
    default void interruptsDoNotEndAPoll() throws Exception {
        Watch watch = fixture().watch();
        Poller poller = watch.poller();
        Connection pair = fixture().connection();
        poller.register(pair.server(), 1, Interest.READ, Mode.EDGE);
        Thread self = Thread.currentThread();

        self.interrupt();
        pollIdle(poller, fixture().environment().silenceNanos(), "a poll of an interrupted thread");
        assertTrue(Thread.interrupted(), "the interrupt status has to be there after the poll");
        assertFalse(Thread.interrupted(), "the interrupt status was cleared by this test");

        Helper interrupter = fixture().helper("tck-interrupter", () -> {
            LockSupport.parkNanos(fixture().environment().silenceNanos() / 4);
            self.interrupt();
        });
        pollIdle(poller, fixture().environment().silenceNanos(), "a poll that was interrupted");
        interrupter.join();
        assertTrue(Thread.interrupted(), "the interrupt status has to be there after a poll that was interrupted");

        self.interrupt();
        fixture().write(pair.client(), "x");
        watch.expectReadable(1, "a byte was written, and the thread is interrupted");
        assertEquals(1, Fixture.drain(pair.server()), "bytes read by an interrupted thread");
        assertEquals(0, poller.poll(0), "entries of a poll without a wait by an interrupted thread");
        assertTrue(Thread.interrupted(), "the interrupt status has to be there after all that");
        assertTrue(pair.server().isOpen() && poller.isOpen(), "an interrupt closed something");
        fixture().write(pair.server(), "y");
        assertEquals("y", fixture().readText(pair.client(), 1));
    }

    @Rule("3.10")
    default void interruptsDoNotPutTheDeadlineOff() throws Exception {
        Poller poller = fixture().poller();
        long timeout = fixture().environment().silenceNanos() * 2;
        long patience = fixture().environment().patienceNanos();
        for (int attempt = 0; attempt < 20; attempt++) {
            Interrupts interrupts = new Interrupts(Thread.currentThread(), patience);
            interrupts.send();
            Helper interrupter = fixture().helper("tck-interrupter", interrupts::sendMany);
            long took;
            try {
                took = pollIdle(poller, timeout, "a poll that is interrupted again and again");
            } finally {
                interrupts.stop();
                interrupter.join();
                Thread.interrupted();
            }
            assertTrue(
                    took < timeout + patience / 2,
                    () -> "interrupts put the end of a poll of " + timeout + " ns off to " + took + " ns");
            if (interrupts.longestPause() < timeout * 3 / 4) {
                return;
            }
            // Interrupts this far apart could not have put the end off for long: it showed nothing.
        }
        Assumptions.abort("this machine is too busy to interrupt a thread again and again");
    }

    /** A series of interrupts of one thread, and the longest time that passed without one. */
    final class Interrupts {
        private final Thread target;
        private final long mostNanos;
        private boolean stopped;
        private long last = System.nanoTime();
        private long longest;

        Interrupts(Thread target, long mostNanos) {
            this.target = target;
            this.mostNanos = mostNanos;
        }

        synchronized boolean send() {
            if (!stopped) {
                long now = System.nanoTime();
                longest = Math.max(longest, now - last);
                last = now;
                target.interrupt();
            }
            return !stopped;
        }

        void sendMany() {
            long deadline = System.nanoTime() + mostNanos;
            while (send() && System.nanoTime() - deadline < 0) {
                LockSupport.parkNanos(500_000);
            }
        }

        synchronized void stop() {
            stopped = true;
            longest = Math.max(longest, System.nanoTime() - last);
        }

        synchronized long longestPause() {
            return longest;
        }
    }

    @Rule("3.11")
    default void aWaitingPollUsesNoCpu() throws Exception {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        Assumptions.assumeTrue(
                threads.isCurrentThreadCpuTimeSupported(), "this JVM does not measure the CPU time of a thread");
        Poller poller = fixture().poller();
        Connection half = fixture().connection();
        Connection idle = fixture().connection();
        PipePair pipe = fixture().pipe();
        poller.register(half.server(), 1, Interest.READ, Mode.EDGE);
        poller.register(idle.server(), 2, Interest.READ_WRITE, Mode.EDGE);
        poller.register(pipe.reader(), 3, Interest.READ, Mode.EDGE);
        half.client().shutdownOutput();
        fixture().readEnd(half.server());
        new Watch(fixture(), poller).settle(6, "a half-closed, an idle and a writable source");
        pollIdle(poller, 1_000_000, "what is used for the first time is loaded now");
        for (boolean interrupted : new boolean[] {false, true}) {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            long timeout = Math.max(fixture().environment().silenceNanos() * 4, 200_000_000);
            long before = threads.getCurrentThreadCpuTime();
            long took = pollIdle(poller, timeout, "nothing happens");
            long used = threads.getCurrentThreadCpuTime() - before;
            Thread.interrupted();
            assertTrue(
                    used < 5_000_000 + took / 100,
                    () -> "a poll that waits" + (interrupted ? " in an interrupted thread" : "") + " used " + used
                            + " ns of CPU time in " + took + " ns");
        }
    }

    @Rule("3.12")
    default void timeoutsHoldWhileSourcesAreWatched() throws Exception {
        Watch watch = fixture().watch();
        List<Mode> modes = List.copyOf(fixture().provider().modes());
        for (int i = 0; i < 20; i++) {
            PipePair pipe = fixture().pipe();
            watch.register(pipe.reader(), i, Interest.READ, modes.get(i % modes.size()));
            pollIdle(watch.poller(), 2_000_000, "with " + (i + 1) + " idle pipes");
        }
    }
}
