package io.thrust.examples;

import io.thrust.EventLoop;
import io.thrust.sync.Channel;
import io.thrust.sync.Mailbox;
import io.thrust.sync.Notify;
import io.thrust.sync.OneShot;
import io.thrust.sync.Semaphore;
import io.thrust.task.Async;
import io.thrust.task.Countdown;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What tasks use to hand things to each other. The README quotes the parts between the markers. */
final class PrimitivesExample {
    private PrimitivesExample() {}

    // [channel]
    /** One task sends the numbers below this, another adds them up; the channel holds four at most. */
    static int sumBelow(int end) throws IOException {
        try (EventLoop loop = EventLoop.open()) {
            Channel<Integer> channel = new Channel<>(4);
            int[] next = {0};
            loop.spawn(Async.loop(() -> channel.send(next[0]).map(sent -> ++next[0] < end))
                            .closing(channel))
                    .detach();
            int[] sum = {0};
            loop.blockOn(Async.loop(() -> channel.receive().map(number -> {
                if (number == null) {
                    return false; // the end: closed, and nothing is left in it
                }
                sum[0] += number;
                return true;
            })));
            return sum[0];
        }
    }
    // [/channel]

    // [mailbox]
    /** Threads hand lines to a loop; a thread that finds the mailbox full has to decide what to do: here, to wait. */
    static List<String> collect(int threads) throws IOException {
        try (EventLoop loop = EventLoop.open()) {
            Mailbox<String> mailbox = new Mailbox<>(16);
            for (int i = 0; i < threads; i++) {
                String line = "from thread " + i;
                new Thread(() -> {
                            while (!mailbox.trySend(line)) {
                                Thread.onSpinWait();
                            }
                        })
                        .start();
            }
            List<String> lines = new ArrayList<>();
            loop.blockOn(Async.loop(() -> mailbox.receive().map(line -> lines.add(line) && lines.size() < threads)));
            return lines;
        }
    }
    // [/mailbox]

    /** At most two of these tasks work at a time; returns how many it were at most. */
    static int mostAtATime(int tasks) throws IOException {
        try (EventLoop loop = EventLoop.open()) {
            Semaphore semaphore = new Semaphore(2);
            int[] working = {0};
            int[] most = {0};
            for (int i = 0; i < tasks; i++) {
                loop.spawn(semaphore.acquire().then(permit -> {
                            most[0] = Math.max(most[0], ++working[0]);
                            return new Countdown(3).map(done -> working[0]--).closing(permit);
                        }))
                        .detach();
            }
            loop.run();
            return most[0];
        }
    }

    /** One task asks another, which answers once. */
    static String ask(String question) throws IOException {
        try (EventLoop loop = EventLoop.open()) {
            OneShot<String> answer = new OneShot<>();
            loop.spawn(Async.lazy(() -> Async.ready(answer.send(question + " Yes."))))
                    .detach();
            return loop.blockOn(answer.receive());
        }
    }

    /** A task waits for a condition, and looks again each time that it is told of a change. */
    static int countTo(int goal) throws IOException {
        try (EventLoop loop = EventLoop.open()) {
            Notify changed = new Notify();
            int[] count = {0};
            loop.spawn(Async.loop(() -> new Countdown(1).map(none -> {
                        count[0]++;
                        changed.notifyOne();
                        return count[0] < goal;
                    })))
                    .detach();
            loop.blockOn(Async.loop(() -> changed.notified().map(none -> count[0] < goal)));
            return count[0];
        }
    }
}
