package io.thrust.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thrust.poll.ConnectOptions;
import io.thrust.poll.Interest;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.Mode;
import io.thrust.poll.NotRegisteredException;
import io.thrust.poll.PipePair;
import io.thrust.poll.Poller;
import io.thrust.poll.ReadyEvents;
import io.thrust.poll.Source;
import io.thrust.poll.StreamSource;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Chapter 6: reuse and close races. */
interface RaceRules extends Chapter {

    /** So many ready pipes in one batch, keys from 0. */
    private List<PipePair> readyPipes(Watch watch, int number, Mode mode) throws Exception {
        List<PipePair> pipes = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            PipePair pipe = fixture().pipe();
            watch.register(pipe.reader(), i, Interest.READ, mode);
            fixture().write(pipe.writer(), "x");
            pipes.add(pipe);
        }
        List<Event> events = watch.pollSome(number + " ready pipes");
        assertEquals(number, events.size(), "pipes that were made ready before one poll with room for all");
        return pipes;
    }

    private int indexOf(ReadyEvents batch, long key) {
        for (int i = 0; i < batch.size(); i++) {
            if (!batch.isBlank(i) && batch.key(i) == key) {
                return i;
            }
        }
        throw new AssertionError("key " + key + " is not in the batch");
    }

    private void expectBlank(ReadyEvents batch, int index, String what) {
        assertTrue(batch.isBlank(index), () -> what + ": its entry is not blank");
        assertFalse(batch.isReadable(index) || batch.isWritable(index), () -> what + ": its entry has a direction");
    }

    @Rule("6.1")
    default void aReusedDescriptorHasNoPast() throws Exception {
        fixture().inEachMode(mode -> {
            Watch watch = fixture().watch();
            for (int i = 0; i < fixture().environment().rounds(200); i++) {
                PipePair first = fixture().provider().pipe();
                watch.register(first.reader(), 1000 + i, Interest.READ, mode);
                fixture().write(first.writer(), "x");
                first.reader().close();
                first.writer().close();
                PipePair second = fixture().provider().pipe();
                watch.register(second.reader(), i, Interest.READ, mode);
                watch.expectNothingNow("a new pipe, perhaps with the descriptor of a ready one that was closed");
                fixture().write(second.writer(), "y");
                watch.expectReadable(i, "a new pipe, perhaps with the descriptor of one that was closed");
                second.reader().close();
                second.writer().close();
            }
        });
    }

    @Rule("6.2")
    default void aSourceOpenedDuringDispatchSeesNoOldEvent() throws Exception {
        fixture().inEachMode(mode -> {
            for (int round = 0; round < 10; round++) {
                Watch watch = fixture().watch();
                List<PipePair> pipes = readyPipes(watch, 4, mode);
                ReadyEvents batch = watch.poller().events();
                int index = indexOf(batch, 2);
                pipes.get(2).reader().close();
                pipes.get(2).writer().close();
                PipePair fresh = fixture().pipe();
                watch.register(fresh.reader(), 99, Interest.READ, mode);
                expectBlank(batch, index, "closed during dispatch");
                for (int i = 0; i < batch.size(); i++) {
                    assertTrue(batch.isBlank(i) || batch.key(i) != 99, "a new source is in an old batch");
                }
                for (PipePair pipe : List.of(pipes.get(0), pipes.get(1), pipes.get(3))) {
                    watch.poller().deregister(pipe.reader());
                }
                watch.expectNothingNow("a new pipe");
                fixture().write(fresh.writer(), "y");
                watch.expectReadable(99, "the first byte of a source opened during dispatch");
            }
        });
    }

    @Rule("6.3")
    default void deregisterAndModifyBlankTheBatch() throws Exception {
        fixture().inEachMode(mode -> {
            Watch watch = fixture().watch();
            List<PipePair> pipes = readyPipes(watch, 6, mode);
            ReadyEvents batch = watch.poller().events();
            int[] index = new int[6];
            for (int i = 0; i < 6; i++) {
                index[i] = indexOf(batch, i);
            }
            watch.poller().deregister(pipes.get(1).reader());
            expectBlank(batch, index[1], "deregistered during dispatch");
            watch.modify(pipes.get(3).reader(), 33, Interest.READ, mode);
            expectBlank(batch, index[3], "modified during dispatch");
            pipes.get(5).reader().close();
            expectBlank(batch, index[5], "closed during dispatch");
            for (int i : new int[] {0, 2, 4}) {
                assertFalse(batch.isBlank(index[i]), "the entry of a source that was left alone became blank");
                assertTrue(batch.isReadable(index[i]), "the entry of a source that was left alone lost its direction");
                assertEquals(i, batch.key(index[i]), "key of an entry that was left alone");
            }
            assertEquals(6, batch.size(), "size of a batch with blank entries");
            for (int i : new int[] {0, 2, 4}) {
                watch.poller().deregister(pipes.get(i).reader());
            }
            watch.expectReadable(33, "modified during dispatch, and data waits");
        });
    }

    @Rule("6.4")
    default void aSourceMayCloseItselfDuringDispatch() throws Exception {
        fixture().inEachMode(mode -> {
            Watch watch = fixture().watch();
            List<PipePair> pipes = readyPipes(watch, 8, mode);
            ReadyEvents batch = watch.poller().events();
            int served = 0;
            for (int i = 0; i < batch.size(); i++) {
                if (!batch.isBlank(i)) {
                    int key = (int) batch.key(i);
                    Source source = pipes.get(key).reader();
                    assertEquals(1, Fixture.drain(pipes.get(key).reader()), "bytes of pipe " + key);
                    if (key % 2 == 0) {
                        watch.poller().deregister(source);
                    }
                    source.close();
                    served++;
                }
            }
            assertEquals(8, served, "entries that were served though each source closed itself");
            watch.expectNothingNow("all were closed");
        });
    }

    @Rule("6.5")
    default void registrationDuringDispatchCountsFromTheNextPoll() throws Exception {
        fixture().inEachMode(mode -> {
            Watch watch = fixture().watch();
            readyPipes(watch, 3, mode);
            ReadyEvents batch = watch.poller().events();
            List<Long> keys = new ArrayList<>();
            for (long key = 100; key < 120; key++) {
                PipePair pipe = fixture().pipe();
                fixture().write(pipe.writer(), "x");
                watch.register(pipe.reader(), key, Interest.READ, mode);
                keys.add(key);
            }
            assertEquals(3, batch.size(), "size of the batch after registrations during its dispatch");
            for (int i = 0; i < 3; i++) {
                assertTrue(batch.key(i) < 100 && batch.isReadable(i), "an entry changed by registrations");
            }
            if (mode == Mode.LEVEL) {
                keys.addAll(List.of(0L, 1L, 2L));
            }
            watch.collect(keys, 40, "registered during dispatch, and ready");
        });
    }

    @Rule("6.6")
    default void registeredAndClosedAtOnceLeavesNothing() throws Exception {
        fixture().inEachMode(mode -> {
            Watch watch = fixture().watch();
            for (int i = 0; i < 50; i++) {
                PipePair pipe = fixture().provider().pipe();
                fixture().write(pipe.writer(), "x");
                watch.register(pipe.reader(), i, Interest.READ, mode);
                pipe.reader().close();
                pipe.writer().close();
                ListenerSource listener = fixture().provider().listen(Fixture.loopback(), ListenOptions.DEFAULT);
                watch.register(listener, i, Interest.READ, mode);
                listener.close();
                if (i % 2 == 0) {
                    watch.expectNothingNow("registered and closed at once");
                }
                PipePair next = fixture().pipe();
                watch.register(next.reader(), 1000 + i, Interest.READ, mode);
                fixture().write(next.writer(), "y");
                watch.expectReadable(1000 + i, "opened after others were registered and closed at once");
                next.reader().close();
            }
        });
    }

    @Rule("6.7")
    default void closeIsSeenByThePeerAtOnce() throws Exception {
        fixture().inEachMode(mode -> {
            Watch watch = fixture().watch();
            Connection pair = fixture().connection();
            PipePair pipe = fixture().pipe();
            watch.register(pair.server(), 1, Interest.READ, mode);
            watch.register(pipe.writer(), 2, Interest.WRITE, mode);
            watch.pollNow();
            pair.server().close();
            pipe.writer().close();
            // No poll in between.
            fixture().readEnd(pair.client());
            fixture().readEnd(pipe.reader());
        });
    }

    @Rule("6.8")
    default void deregisterSucceedsWhateverHappened() throws Exception {
        Watch watch = fixture().watch();
        for (Mode mode : fixture().provider().modes()) {
            for (Interest interest : Interest.values()) {
                Connection pair = fixture().connection();
                watch.register(pair.server(), 1, interest, mode);
                fixture().write(pair.client(), "x");
                watch.pollNow();
                Fixture.reset(pair.client());
                watch.pollNow();
                watch.poller().deregister(pair.server());

                PipePair pipe = fixture().pipe();
                Interest reading = Interest.of(interest.includesRead(), false);
                watch.register(pipe.reader(), 2, reading, mode);
                pipe.writer().close();
                watch.pollNow();
                watch.poller().deregister(pipe.reader());

                PipePair broken = fixture().pipe();
                broken.reader().close();
                Interest writing = Interest.of(false, interest.includesWrite());
                watch.register(broken.writer(), 3, writing, mode);
                watch.poller().deregister(broken.writer());
            }
        }
        watch.expectNothingNow("all were deregistered");
    }

    @Rule("6.9")
    default void theSameSourceMayComeBackDuringDispatch() throws Exception {
        fixture().inEachMode(mode -> {
            Watch watch = fixture().watch();
            List<PipePair> pipes = readyPipes(watch, 3, mode);
            ReadyEvents batch = watch.poller().events();
            int index = indexOf(batch, 1);
            watch.poller().deregister(pipes.get(1).reader());
            watch.register(pipes.get(1).reader(), 11, Interest.READ, mode);
            expectBlank(batch, index, "deregistered and registered again during dispatch");
            watch.poller().deregister(pipes.get(0).reader());
            watch.poller().deregister(pipes.get(2).reader());
            watch.expectReadable(11, "registered again during dispatch, and data waits");
        });
    }

    @Rule("6.10")
    default void churnTakesNoEventFromOthers() throws Exception {
        fixture().inEachMode(mode -> {
            Watch watch = fixture().watch();
            Connection bystander = fixture().connection();
            watch.register(bystander.server(), 7, Interest.READ, mode);
            watch.expectNothingNow("an idle bystander");
            for (int i = 0; i < 20; i++) {
                fixture().write(bystander.client(), "x");
                // Each of these may make a backend look at the kernel, and what it finds must not be lost.
                PipePair pipe = fixture().pipe();
                watch.register(pipe.reader(), 1, Interest.READ, mode);
                watch.poller().deregister(pipe.reader());
                watch.register(pipe.reader(), 2, Interest.READ, mode);
                watch.modify(pipe.reader(), 3, Interest.NONE, mode);
                ListenerSource listener = fixture().listener();
                watch.register(listener, 4, Interest.READ, mode);
                listener.close();
                pipe.reader().close();
                watch.expectReadable(
                        7, "a bystander became ready before others were registered, deregistered and closed");
                assertEquals(1, Fixture.drain(bystander.server()), "bytes of the bystander");
                if (mode == Mode.EDGE) {
                    watch.rearm(bystander.server(), Interest.READ);
                } else if (mode == Mode.ONE_SHOT) {
                    watch.modify(bystander.server(), 7, Interest.READ, mode);
                }
            }
            watch.expectNothingNow("all was read");
        });
    }

    @Rule("6.11")
    default void randomChurnKeepsEveryKeyTrue() throws Exception {
        Watch watch = fixture().watch(16);
        Random random = new Random(fixture().environment().seed());
        List<PipePair> pipes = new ArrayList<>();
        List<Long> keys = new ArrayList<>();
        long next = 0;
        for (int i = 0; i < fixture().environment().rounds(2000); i++) {
            int choice = random.nextInt(4);
            if (pipes.size() < 4 || (choice == 0 && pipes.size() < 40)) {
                PipePair pipe = fixture().provider().pipe();
                watch.register(pipe.reader(), next, Interest.READ, Mode.EDGE);
                pipes.add(pipe);
                keys.add(next++);
            } else if (choice == 1) {
                int victim = random.nextInt(pipes.size());
                PipePair pipe = pipes.remove(victim);
                keys.remove(victim);
                pipe.reader().close();
                pipe.writer().close();
            } else if (choice == 2) {
                int chosen = random.nextInt(pipes.size());
                pipes.get(chosen).writer().write(ByteBuffer.wrap(new byte[] {1}));
            } else {
                for (Event event : watch.pollNow()) {
                    int known = keys.indexOf(event.key());
                    assertTrue(known >= 0, () -> event + " is of a source that was closed");
                    assertTrue(
                            Fixture.drain(pipes.get(known).reader()) > 0,
                            () -> event + " came, but nothing is to read");
                    watch.rearm(pipes.get(known).reader(), Interest.READ);
                }
            }
        }
        for (PipePair pipe : pipes) {
            pipe.reader().close();
            pipe.writer().close();
            assertThrows(
                    NotRegisteredException.class,
                    () -> watch.poller().deregister(pipe.reader()),
                    "a closed source is registered with nothing");
        }
        watch.expectNothingNow("all were closed");
    }

    @Rule("6.12")
    default void closeDeregisters() throws Exception {
        fixture().inEachMode(mode -> {
            Watch watch = fixture().watch();
            Connection pair = fixture().connection();
            watch.register(pair.server(), 1, Interest.READ_WRITE, mode);
            fixture().write(pair.client(), "x");
            pair.server().close();
            assertThrows(
                    NotRegisteredException.class,
                    () -> watch.poller().deregister(pair.server()),
                    "close deregisters the source");
            watch.expectSilence("closed while it was ready");
            Poller other = fixture().poller();
            Connection late = fixture().connection();
            other.register(late.server(), 2, Interest.READ, mode);
            other.close();
            late.server().close();
            fixture().readEnd(late.client());
        });
    }

    @Rule("6.13")
    default void manyStreamsComeAndGo() throws Exception {
        Watch watch = fixture().watch();
        ListenerSource listener = fixture().listener();
        watch.register(listener, -1, Interest.READ, Mode.EDGE);
        watch.expectNothingNow("an idle listener");
        fixture().connection(listener);
        watch.settle(2, "a connection was made and accepted");
        watch.rearm(listener, Interest.READ);
        int before = fixture().openDescriptors();
        for (int i = 0; i < fixture().environment().rounds(300); i++) {
            StreamSource client = fixture().provider().connect(listener.localAddress(), ConnectOptions.DEFAULT);
            fixture().awaitConnected(client);
            watch.expectReadable(-1, "connection " + i);
            StreamSource server = listener.accept();
            while (server == null) {
                server = listener.accept();
            }
            assertEquals(null, listener.accept(), "a second connection");
            watch.rearm(listener, Interest.READ);
            watch.register(server, i, Interest.READ, Mode.EDGE);
            fixture().write(client, "x");
            watch.expectReadable(i, "the first byte of connection " + i);
            if (i % 3 == 0) {
                Fixture.reset(client);
                server.close();
            } else {
                server.close();
                client.close();
            }
        }
        watch.expectNothingNow("all streams were closed");
        fixture().expectDescriptorsBackTo(before, 6, "streams were opened, registered and closed again and again");
    }
}
