package io.thrust.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.thrust.poll.Interest;
import io.thrust.poll.Mode;
import io.thrust.poll.OutputSource;
import io.thrust.poll.PipePair;
import io.thrust.poll.Poller;
import io.thrust.poll.ReadyEvents;
import io.thrust.poll.Source;
import io.thrust.poll.StreamSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A poller under observation. Every poll through it is held against what is true of any batch; and "nothing comes" is proved
 * by something that must come afterwards, through a pipe that this object registers for it.
 */
final class Watch {
    private static final long SENTINEL = 0x5E47_1E1D_0000_7357L;

    private final Fixture fixture;
    private final Poller poller;
    private final ReadyEvents batch;
    private @Nullable PipePair sentinel;

    Watch(Fixture fixture, Poller poller) {
        this.fixture = fixture;
        this.poller = poller;
        this.batch = poller.events();
    }

    Poller poller() {
        return poller;
    }

    void register(Source source, long key, Interest interest, Mode mode) throws IOException {
        poller.register(source, key, interest, mode);
    }

    void modify(Source source, long key, Interest interest, Mode mode) throws IOException {
        poller.modify(source, key, interest, mode);
    }

    void rearm(Source source, Interest directions) {
        poller.rearm(source, directions);
    }

    /** Polls once, checks the batch, and returns its entries. */
    List<Event> poll(long timeoutNanos) throws IOException {
        int count = poller.poll(timeoutNanos);
        assertSame(batch, poller.events(), "events() returned another object than before");
        assertEquals(batch.size(), count, "poll() returned another number than events().size()");
        assertTrue(
                count <= batch.capacity(),
                () -> "poll() returned " + count + " entries, but the capacity is " + batch.capacity());
        List<Event> events = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            assertFalse(batch.isBlank(i), "an entry is blank although nothing was deregistered or modified since");
            Event event = Event.of(batch, i);
            assertTrue(event.readable() || event.writable(), () -> event + " has no direction");
            events.add(event);
        }
        return events;
    }

    List<Event> pollNow() throws IOException {
        return poll(0);
    }

    /** Polls with patience until something comes; fails if nothing does. */
    List<Event> pollSome(String what) throws IOException {
        long deadline = System.nanoTime() + fixture.environment().patienceNanos();
        while (true) {
            long left = deadline - System.nanoTime();
            List<Event> events = poll(Math.max(left, 0));
            if (!events.isEmpty()) {
                return events;
            }
            if (left <= 0) {
                fail("no event came within " + fixture.environment().patience() + ": " + what);
            }
        }
    }

    /** The next event, which must be of this key, and alone. */
    Event expect(long key, String what) throws IOException {
        List<Event> events = pollSome(what);
        assertEquals(
                1, events.size(), () -> what + ": one event of key " + key + " was to come, but " + events + " came");
        assertEquals(key, events.get(0).key(), () -> what + ": wrong key");
        return events.get(0);
    }

    Event expectReadable(long key, String what) throws IOException {
        Event event = expect(key, what);
        assertTrue(event.readable(), () -> what + ": " + event + " is not readable");
        return event;
    }

    Event expectWritable(long key, String what) throws IOException {
        Event event = expect(key, what);
        assertTrue(event.writable(), () -> what + ": " + event + " is not writable");
        return event;
    }

    /** Polls until an event of this key has come in this direction, past others of the same key. */
    void awaitDirection(long key, Interest direction, String what) throws IOException {
        long deadline = System.nanoTime() + fixture.environment().patienceNanos();
        while (true) {
            for (Event event : pollSome(what)) {
                assertEquals(key, event.key(), () -> what + ": wrong key");
                if (Interest.of(event.readable(), event.writable()).includes(direction)) {
                    return;
                }
            }
            if (System.nanoTime() - deadline > 0) {
                fail("no event of direction " + direction + " came for key " + key + ": " + what);
            }
        }
    }

    /** Polls until each of these keys was reported; fails on any other key, and after so many polls. */
    Map<Long, Integer> collect(List<Long> keys, int polls, String what) throws IOException {
        Map<Long, Integer> seen = new LinkedHashMap<>();
        for (int i = 0; i < polls && !seen.keySet().containsAll(keys); i++) {
            for (Event event : pollSome(what + " (" + seen.size() + " of " + keys.size() + " so far)")) {
                assertTrue(keys.contains(event.key()), () -> what + ": unexpected " + event);
                seen.merge(event.key(), 1, Integer::sum);
            }
        }
        if (!seen.keySet().containsAll(keys)) {
            List<Long> missing = new ArrayList<>(keys);
            missing.removeAll(seen.keySet());
            fail(what + ": keys " + missing + " were not reported within " + polls + " polls");
        }
        return seen;
    }

    /** Fails if an event comes: none for a while, and then only one that was caused for the purpose. */
    void expectSilence(String what) throws IOException {
        long start = System.nanoTime();
        List<Event> events = poll(fixture.environment().silenceNanos());
        assertTrue(events.isEmpty(), () -> what + ": nothing was to come, but " + events + " came");
        assertTrue(
                System.nanoTime() - start >= fixture.environment().silenceNanos(),
                () -> what + ": a poll ended before its timeout, without an event");
        expectNothingNow(what);
    }

    /** As {@link #expectSilence}, without the wait: for what is decided already. */
    void expectNothingNow(String what) throws IOException {
        List<Event> events = causeSentinel();
        assertTrue(events.isEmpty(), () -> what + ": nothing was to come, but " + events + " came");
    }

    /**
     * Fills a source that is registered under this key in mode EDGE until it stays full: each report of it as writable must
     * come with room, but for a few that the system had on its way.
     */
    void fillUntilSilent(long key, OutputSource target, String what) throws IOException {
        int idle = 0;
        for (int i = 0; i < 1000; i++) {
            boolean moved = Fixture.fill(target) > 0;
            idle = moved || i == 0 ? 0 : idle + 1;
            int now = idle;
            assertTrue(now <= 3, () -> what + ": it is reported as writable again and again, but has no room");
            poller.rearm(target, Interest.WRITE);
            List<Event> events = poll(fixture.environment().silenceNanos());
            if (events.isEmpty()) {
                return;
            }
            for (Event event : events) {
                assertEquals(key, event.key(), () -> what + ": wrong key");
            }
        }
        fail(what + ": it does not get full");
    }

    /** Registers a source, and fills it until it stays full and silent, in whatever mode. */
    void registerFull(StreamSource source, long key, Interest interest, Mode mode) throws IOException {
        Fixture.fill(source);
        register(source, key, interest, mode);
        int idle = 0;
        for (int i = 0; i < 1000; i++) {
            List<Event> events = poll(fixture.environment().silenceNanos());
            if (events.isEmpty()) {
                return;
            }
            idle = Fixture.fill(source) > 0 ? 0 : idle + 1;
            assertTrue(
                    idle <= 3 && events.size() == 1 && !events.get(0).readable(),
                    () -> events + " came, but there is neither room nor anything to read");
            modify(source, key, interest, mode);
        }
        fail(source + " does not get full");
    }

    /** Polls until nothing comes any more; fails if there are more reports than so many. */
    int settle(int most, String what) throws IOException {
        int reports = 0;
        while (true) {
            List<Event> events = poll(fixture.environment().silenceNanos());
            if (events.isEmpty()) {
                return reports;
            }
            reports += events.size();
            int now = reports;
            assertTrue(now <= most, () -> what + ": more than " + most + " reports came although nothing happened");
        }
    }

    /** Causes an event of the sentinel, polls until it came, and returns what came with it. */
    private List<Event> causeSentinel() throws IOException {
        PipePair pipe = sentinel;
        if (pipe == null) {
            pipe = fixture.pipe();
            sentinel = pipe;
            poller.register(pipe.reader(), SENTINEL, Interest.READ, Mode.EDGE);
        }
        fixture.write(pipe.writer(), "!");
        List<Event> others = new ArrayList<>();
        boolean came = false;
        while (!came) {
            for (Event event : pollSome("a pipe with a byte in it, registered to end a silence")) {
                if (event.key() == SENTINEL) {
                    came = true;
                } else {
                    others.add(event);
                }
            }
        }
        Fixture.drain(pipe.reader());
        poller.rearm(pipe.reader(), Interest.READ);
        return others;
    }
}
