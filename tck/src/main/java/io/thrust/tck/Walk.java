package io.thrust.tck;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thrust.poll.AlreadyRegisteredException;
import io.thrust.poll.Interest;
import io.thrust.poll.Mode;
import io.thrust.poll.NotRegisteredException;
import io.thrust.poll.PipePair;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One seeded walk over a poller with many sources: each step is a random call, a {@link WalkSource} knows what each call has
 * to do, and each poll is held against what the sources expect. The steps depend on the seed alone, not on time.
 */
final class Walk {
    private static final int CAPACITY = 8;
    private static final int MOST_SOURCES = 24;
    private static final int TRACE = 40;
    private static final int TRACE_OF_A_SOURCE = 10;
    private static final Pattern NAME_OF_A_SOURCE = Pattern.compile("(?:pipe|stream) \\d+");

    private final Fixture fixture;
    private final long seed;
    private final Random random;
    private final List<Mode> modes;
    private final Watch watch;
    private final List<WalkSource> sources = new ArrayList<>();
    private final Map<Long, WalkSource> byKey = new HashMap<>();
    private final List<String> trace = new ArrayList<>();
    private int step;
    private int names;
    private long nextKey;

    Walk(Fixture fixture, long seed) throws IOException {
        this.fixture = fixture;
        this.seed = seed;
        this.random = new Random(seed);
        List<Mode> declared = new ArrayList<>();
        for (Mode mode : Mode.values()) {
            if (fixture.has(mode)) {
                declared.add(mode);
            }
        }
        this.modes = declared;
        this.watch = fixture.watch(CAPACITY);
        this.nextKey = random.nextLong();
    }

    void run(int steps) throws IOException {
        try {
            for (step = 1; step <= steps; step++) {
                turn();
            }
            note("the last poll");
            settle();
            for (WalkSource source : sources) {
                source.closeBoth();
            }
            watch.poller().close();
        } catch (AssertionError | IOException | RuntimeException e) {
            String run = Long.toHexString(seed);
            AssertionError failure = new AssertionError(
                    "a random walk failed at step " + step + ": " + e.getMessage()
                            + "\n  replay it with --rule 10.1 --seed 0x" + run + " --walk " + steps
                            + ", under JUnit with -Dthrust.tck.seed=0x" + run + " -Dthrust.tck.walk=" + steps
                            + history(String.valueOf(e.getMessage())),
                    e);
            failure.setStackTrace(e.getStackTrace());
            throw failure;
        }
    }

    private void note(String what) {
        trace.add(step + ": " + what);
    }

    /** The last steps, and what went before with the source that the failure names. */
    private String history(String failure) {
        int recent = Math.max(0, trace.size() - TRACE);
        StringBuilder text = new StringBuilder();
        Matcher name = NAME_OF_A_SOURCE.matcher(failure);
        if (name.find()) {
            Pattern mention = Pattern.compile("\\b" + name.group() + "\\b");
            List<String> earlier = trace.subList(0, recent).stream()
                    .filter(line -> mention.matcher(line).find())
                    .toList();
            append(
                    text,
                    "earlier steps with " + name.group() + " were",
                    earlier.subList(Math.max(0, earlier.size() - TRACE_OF_A_SOURCE), earlier.size()));
        }
        append(text, "the last steps were", trace.subList(recent, trace.size()));
        return text.toString();
    }

    private static void append(StringBuilder text, String title, List<String> lines) {
        if (!lines.isEmpty()) {
            text.append("\n  ").append(title).append("\n    ").append(String.join("\n    ", lines));
        }
    }

    private void turn() throws IOException {
        int choice = random.nextInt(100);
        if (sources.isEmpty() || (choice < 6 && sources.size() < MOST_SOURCES)) {
            open();
            return;
        }
        WalkSource source = sources.get(random.nextInt(sources.size()));
        if (choice < 20) {
            register(source);
        } else if (choice < 30) {
            modify(source);
        } else if (choice < 38) {
            rearm(source);
        } else if (choice < 44) {
            deregister(source);
        } else if (choice < 60) {
            int count = 1 + random.nextInt(20);
            note("write " + count + " bytes to " + source);
            source.peerWrites(count);
        } else if (choice < 66) {
            int count = 1 + random.nextInt(20);
            note("read " + count + " bytes of " + source);
            source.readSome(count);
        } else if (choice < 76) {
            note("read " + source + " until it would block, and rearm");
            source.drain();
            if (source.registered && source.mode == Mode.EDGE && !source.ended()) {
                watch.rearm(source.input, Interest.of(source.interest.includesRead(), false));
                source.rearmed();
            }
        } else if (choice < 78) {
            note("half-close the peer of " + source);
            source.peerEnds();
        } else if (choice < 81) {
            note("close " + source);
            close(source);
        } else if (choice < 82) {
            note("reset " + source);
            source.peerResets();
        } else if (choice < 84) {
            note("wake-up");
            watch.poller().wakeup();
            settle();
        } else if (choice < 90) {
            note("poll once");
            take(watch.pollNow());
        } else {
            note("poll until all that is due has come");
            settle();
        }
    }

    private void open() throws IOException {
        WalkSource source;
        if (random.nextBoolean()) {
            PipePair pipe = fixture.provider().pipe();
            source = new WalkSource(fixture, "pipe " + names++, pipe.reader(), pipe.writer());
        } else {
            Connection pair = fixture.connection();
            source = new WalkSource(fixture, "stream " + names++, pair.server(), pair.client());
        }
        note("open " + source);
        sources.add(source);
    }

    private Interest randomInterest(WalkSource source) {
        Interest any = Interest.values()[random.nextInt(4)];
        return Interest.of(any.includesRead(), any.includesWrite() && source.isStream());
    }

    private void register(WalkSource source) throws IOException {
        Mode mode = modes.get(random.nextInt(modes.size()));
        Interest interest = randomInterest(source);
        long key = nextKey++;
        note("register " + source + " for " + interest + " in mode " + mode + " with key " + key);
        if (source.registered) {
            assertThrows(
                    AlreadyRegisteredException.class,
                    () -> watch.register(source.input, key, interest, mode),
                    "the second registration of " + source);
        } else {
            watch.register(source.input, key, interest, mode);
            source.registeredAs(key, interest, mode);
            byKey.put(key, source);
        }
    }

    private void modify(WalkSource source) throws IOException {
        Mode mode = modes.get(random.nextInt(modes.size()));
        Interest interest = randomInterest(source);
        long key = nextKey++;
        note("modify " + source + " to " + interest + " in mode " + mode + " with key " + key);
        if (source.registered) {
            watch.modify(source.input, key, interest, mode);
            byKey.remove(source.key);
            source.registeredAs(key, interest, mode);
            byKey.put(key, source);
        } else {
            assertThrows(
                    NotRegisteredException.class,
                    () -> watch.modify(source.input, key, interest, mode),
                    "modify of unregistered " + source);
        }
    }

    private void rearm(WalkSource source) {
        note("rearm " + source);
        if (!source.registered) {
            assertThrows(
                    NotRegisteredException.class,
                    () -> watch.rearm(source.input, Interest.READ),
                    "rearm of unregistered " + source);
        } else if (source.mode == Mode.ONE_SHOT) {
            assertThrows(
                    IllegalStateException.class,
                    () -> watch.rearm(source.input, source.interest),
                    "rearm in mode ONE_SHOT of " + source);
        } else {
            watch.rearm(source.input, source.interest);
            source.rearmed();
        }
    }

    private void deregister(WalkSource source) throws IOException {
        note("deregister " + source);
        if (source.registered) {
            watch.poller().deregister(source.input);
            byKey.remove(source.key);
            source.registered = false;
        } else {
            assertThrows(
                    NotRegisteredException.class,
                    () -> watch.poller().deregister(source.input),
                    "deregister of unregistered " + source);
        }
    }

    private void close(WalkSource source) throws IOException {
        source.closeBoth();
        sources.remove(source);
        if (source.registered) {
            byKey.remove(source.key);
        }
        source.registered = false;
    }

    /** Polls until everything that must be reported was, and then once more. */
    private void settle() throws IOException {
        long deadline = System.nanoTime() + fixture.environment().patienceNanos();
        sources.forEach(WalkSource::expectLevel);
        WalkSource due;
        while ((due = anyDue()) != null) {
            long left = deadline - System.nanoTime();
            WalkSource waiting = due;
            assertTrue(left > 0, () -> "no event came for " + waiting + " (" + waiting.state() + ")");
            take(watch.poll(left));
        }
        take(watch.pollNow());
    }

    private @Nullable WalkSource anyDue() {
        for (WalkSource source : sources) {
            if (source.isDue()) {
                return source;
            }
        }
        return null;
    }

    private void take(List<Event> events) {
        List<Long> keys = new ArrayList<>();
        for (Event event : events) {
            WalkSource source = byKey.get(event.key());
            assertTrue(source != null, () -> event + " is of no present registration");
            assertTrue(!keys.contains(event.key()), () -> event + " is the second entry of one batch for " + source);
            keys.add(event.key());
            source.take(event);
        }
    }
}
