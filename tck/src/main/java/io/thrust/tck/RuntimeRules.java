package io.thrust.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.thrust.poll.Interest;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.Mode;
import io.thrust.poll.PipePair;
import io.thrust.poll.StreamSource;
import io.thrust.poll.TooManyOpenFilesException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;

/**
 * Chapter 9: a runtime above the poller. The loops here do what a runtime does, and rely on nothing but the contract: edge
 * mode, writing assumed possible and asked for when it blocks, rearm after would-block.
 */
interface RuntimeRules extends Chapter {

    /** One end of an echo: what it has read and not written yet stays in its buffer. */
    final class Echo {
        final StreamSource stream;
        final long key;
        final ByteBuffer pending = ByteBuffer.allocate(4096).limit(0);
        Interest interest = Interest.READ;
        boolean ended;

        Echo(StreamSource stream, long key) {
            this.stream = stream;
            this.key = key;
        }

        /** Moves what can be moved; returns whether the peer is done and everything was sent back. */
        boolean turn(Watch watch) throws IOException {
            while (true) {
                while (pending.hasRemaining()) {
                    if (stream.write(pending) < 0) {
                        if (interest == Interest.READ) {
                            interest = Interest.READ_WRITE;
                            watch.modify(stream, key, interest, Mode.EDGE);
                        } else {
                            watch.rearm(stream, Interest.WRITE);
                        }
                        return false;
                    }
                }
                if (ended) {
                    return true;
                }
                pending.clear();
                int count = stream.read(pending);
                pending.flip();
                if (count == -1) {
                    ended = true;
                } else if (count < 0) {
                    watch.rearm(stream, Interest.READ);
                    return false;
                }
            }
        }
    }

    /** Sends a pattern and checks what comes back. */
    final class Client {
        final StreamSource stream;
        final long key;
        final int size;
        int sent;
        int received;
        boolean connected;

        Client(StreamSource stream, long key, int size) {
            this.stream = stream;
            this.key = key;
            this.size = size;
        }

        boolean turn(Watch watch, ByteBuffer buffer) throws IOException {
            if (!connected) {
                connected = stream.finishConnect();
                if (!connected) {
                    watch.rearm(stream, Interest.WRITE);
                    return false;
                }
            }
            while (sent < size) {
                buffer.clear();
                int chunk = Math.min(buffer.capacity(), size - sent);
                for (int i = 0; i < chunk; i++) {
                    buffer.put((byte) (key * 31 + sent + i));
                }
                int count = stream.write(buffer.flip());
                if (count < 0) {
                    watch.rearm(stream, Interest.WRITE);
                    break;
                }
                sent += count;
                if (sent == size) {
                    stream.shutdownOutput();
                }
            }
            while (true) {
                buffer.clear();
                int count = stream.read(buffer);
                if (count == -1) {
                    assertEquals(size, received, "bytes echoed to client " + key);
                    return true;
                }
                if (count < 0) {
                    watch.rearm(stream, Interest.READ);
                    return false;
                }
                for (int i = 0; i < count; i++) {
                    assertEquals((byte) (key * 31 + received + i), buffer.get(i), "a byte echoed to client " + key);
                }
                received += count;
            }
        }
    }

    @Rule("9.1")
    default void aThousandEchoesComeBackWhole() throws Exception {
        echo(fixture().environment().rounds(1000), 64 << 10);
    }

    @Rule("9.2")
    default void fewEchoesOfManyBytesComeBackWhole() throws Exception {
        echo(4, fixture().environment().rounds(4 << 20));
    }

    private void echo(int clients, int size) throws Exception {
        int budget = Math.max(2, Math.min(clients, 1000));
        Watch watch = fixture().watch(256);
        ListenerSource listener = fixture().listener();
        watch.register(listener, -1, Interest.READ, Mode.EDGE);
        List<Echo> servers = new ArrayList<>();
        List<Client> all = new ArrayList<>();
        ByteBuffer buffer = ByteBuffer.allocate(8192);
        int done = 0;
        int closed = 0;
        int opened = 0;
        while (done < budget || closed < servers.size()) {
            // Connects trickle in, so that the listener's queue never overflows.
            while (opened < budget && opened < servers.size() + 100) {
                Client client;
                try {
                    client = new Client(fixture().connect(listener.localAddress()), opened, size);
                } catch (TooManyOpenFilesException e) {
                    Assumptions.abort("this process may not open enough descriptors: " + e);
                    return;
                }
                all.add(client);
                watch.register(client.stream, 2L * opened, Interest.READ_WRITE, Mode.EDGE);
                opened++;
            }
            for (Event event :
                    watch.pollSome("echoes, " + done + " of " + budget + " done, " + servers.size() + " accepted")) {
                if (event.key() == -1) {
                    StreamSource stream;
                    while ((stream = listener.accept()) != null) {
                        Echo echo = new Echo(fixture().keep(stream), 2L * servers.size() + 1);
                        servers.add(echo);
                        watch.register(stream, echo.key, Interest.READ, Mode.EDGE);
                    }
                    watch.rearm(listener, Interest.READ);
                } else if (event.key() % 2 == 0) {
                    Client client = all.get((int) (event.key() / 2));
                    if (client.stream.isOpen() && client.turn(watch, buffer)) {
                        client.stream.close();
                        done++;
                    }
                } else {
                    Echo echo = servers.get((int) (event.key() / 2));
                    if (echo.stream.isOpen() && echo.turn(watch)) {
                        echo.stream.close();
                        closed++;
                    }
                }
            }
        }
        assertEquals(budget, servers.size(), "accepted connections");
        watch.poller().deregister(listener);
        watch.expectNothingNow("all echoes are done");
    }

    @Rule("9.3")
    default void deadlinesAreMetBesidesEvents() throws Exception {
        Watch watch = fixture().watch();
        PipePair pipe = fixture().pipe();
        watch.register(pipe.reader(), 1, Interest.READ, Mode.EDGE);
        PriorityQueue<Long> deadlines = new PriorityQueue<>();
        long start = System.nanoTime();
        for (int i = 1; i <= 40; i++) {
            deadlines.add(i * 2_500_000L + i % 3 * 333_333L);
        }
        boolean stop = false;
        AtomicBoolean writing = new AtomicBoolean(true);
        Helper writer = fixture().helper("tck-writer", () -> {
            while (writing.get()) {
                pipe.writer().write(ByteBuffer.wrap(new byte[] {1}));
                LockSupport.parkNanos(700_000);
            }
        });
        int events = 0;
        while (!stop) {
            Long next = deadlines.peek();
            if (next == null) {
                stop = true;
                continue;
            }
            long left = next - (System.nanoTime() - start);
            for (Event event : watch.poll(Math.max(left, 0))) {
                assertEquals(1, event.key(), "key of an event");
                events++;
                Fixture.drain(pipe.reader());
                watch.rearm(pipe.reader(), Interest.READ);
            }
            long now = System.nanoTime() - start;
            long late = now - next;
            if (late >= 0) {
                deadlines.remove();
                if (late > fixture().environment().patienceNanos()) {
                    fail("a deadline was met " + late + " ns late");
                }
            }
        }
        writing.set(false);
        writer.join();
        assertTrue(events > 0, "no event came in between deadlines");
    }

    @Rule("9.4")
    default void oneLoopServesTwoSourcesFairly() throws Exception {
        Watch watch = fixture().watch(8);
        PipePair flood = fixture().pipe();
        Connection quiet = fixture().connection();
        watch.register(flood.reader(), 1, Interest.READ, Mode.EDGE);
        watch.register(quiet.server(), 2, Interest.READ, Mode.EDGE);
        ByteBuffer one = ByteBuffer.allocate(1);
        for (int round = 0; round < 20; round++) {
            Fixture.fill(flood.writer());
            fixture().write(quiet.client(), "x");
            boolean served = false;
            for (int polls = 0; polls < 10 && !served; polls++) {
                for (Event event : watch.pollSome("a flooded pipe and a quiet stream, round " + round)) {
                    if (event.key() == 1) {
                        flood.reader().read(one.clear());
                        watch.rearm(flood.reader(), Interest.READ);
                        watch.modify(flood.reader(), 1, Interest.READ, Mode.EDGE);
                    } else {
                        assertEquals(1, Fixture.drain(quiet.server()), "bytes of the quiet stream");
                        watch.rearm(quiet.server(), Interest.READ);
                        served = true;
                    }
                }
            }
            assertTrue(served, "a quiet stream starved beside a flooded pipe, round " + round);
        }
    }
}
