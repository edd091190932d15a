package io.thrust.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thrust.poll.ConnectOptions;
import io.thrust.poll.Interest;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.Mode;
import io.thrust.poll.StreamSource;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;
import org.opentest4j.TestAbortedException;

/** Chapter 5, streams and listeners: how connections come about, and addresses. */
interface ConnectRules extends Chapter {

    @Rule("5.1")
    default void bothEndsAgreeOnTheirAddresses() throws Exception {
        ListenerSource listener = fixture().listener();
        if (listener.localAddress() instanceof InetSocketAddress internet) {
            assertNotEquals(0, internet.getPort(), "port of a listener that asked for a free one");
        }
        Connection pair = fixture().connection(listener);
        assertEquals(listener.localAddress(), pair.client().remoteAddress(), "remote address of the client");
        assertEquals(listener.localAddress(), pair.server().localAddress(), "local address of the accepted stream");
        assertNotNull(pair.client().localAddress(), "local address of the client");
        assertEquals(pair.client().localAddress(), pair.server().remoteAddress(), "the client's address at both ends");
        assertTrue(pair.server().finishConnect(), "an accepted stream is connected");
        assertTrue(pair.client().finishConnect(), "a connected stream stays connected");
    }

    @Rule("5.2")
    default void aRefusedConnectIsAConnectException() throws Exception {
        for (Interest interest : List.of(Interest.WRITE, Interest.READ_WRITE)) {
            SocketAddress dead = fixture().deadAddress();
            StreamSource stream;
            try {
                stream = fixture().connect(dead);
            } catch (ConnectException refusedAtOnce) {
                expectNames(dead, refusedAtOnce);
                continue;
            }
            Watch watch = fixture().watch();
            watch.register(stream, 1, interest, Mode.EDGE);
            watch.awaitDirection(1, Interest.WRITE, "a connect was refused, interest " + interest);
            for (int i = 0; i < 3; i++) {
                ConnectException refused = assertThrows(
                        ConnectException.class, stream::finishConnect, "finishConnect of a refused connect, call " + i);
                expectNames(dead, refused);
            }
            watch.poller().deregister(stream);
            stream.close();
        }
    }

    private void expectNames(SocketAddress address, IOException failure) {
        String text =
                address instanceof InetSocketAddress internet ? String.valueOf(internet.getPort()) : address.toString();
        assertTrue(
                String.valueOf(failure.getMessage()).contains(text),
                () -> "the message does not name " + address + ": " + failure.getMessage());
    }

    @Rule("5.3")
    default void theEndOfAConnectIsReportedAsWritable() throws Exception {
        fixture().inEachMode(mode -> {
            for (Interest interest : List.of(Interest.WRITE, Interest.READ_WRITE)) {
                Watch watch = fixture().watch();
                ListenerSource listener = fixture().listener();
                StreamSource stream = fixture().connect(listener.localAddress());
                watch.register(stream, 1, interest, mode);
                String what = "a connect came to its end, interest " + interest;
                do {
                    watch.expectWritable(1, what);
                    if (mode == Mode.EDGE) {
                        watch.rearm(stream, Interest.WRITE);
                    } else if (mode == Mode.ONE_SHOT) {
                        watch.modify(stream, 1, interest, mode);
                    }
                } while (!stream.finishConnect());
                StreamSource server = fixture().accept(listener);
                fixture().write(stream, "hello");
                assertEquals("hello", fixture().readText(server, 5));
            }
        });
    }

    @Rule("5.4")
    default void anEarlyFinishConnectLeavesNoTrap() throws Exception {
        fixture().inEachMode(mode -> {
            // Finished before it was registered: writable readiness is there nevertheless.
            Watch watch = fixture().watch();
            ListenerSource listener = fixture().listener();
            StreamSource before = fixture().connect(listener.localAddress());
            fixture().awaitConnected(before);
            watch.register(before, 1, Interest.READ_WRITE, mode);
            watch.expectWritable(1, "connected before it was registered");
            watch.poller().deregister(before);

            // Finished after it was registered and before anything was reported.
            StreamSource after = fixture().connect(listener.localAddress());
            watch.register(after, 2, Interest.READ_WRITE, mode);
            fixture().awaitConnected(after);
            watch.awaitDirection(2, Interest.WRITE, "connected after it was registered");
            watch.modify(after, 2, Interest.READ, mode);
            watch.expectSilence("connected, and nothing to read");
            fixture().accept(listener);
            StreamSource server = fixture().accept(listener);
            fixture().write(server, "x");
            watch.expectReadable(2, "the first byte of a connection that was finished early");
        });
    }

    @Rule("5.5")
    default void aPendingConnectIsNotDone() throws Exception {
        ListenerSource listener =
                fixture().keep(fixture().provider().listen(Fixture.loopback(), ListenOptions.DEFAULT.withBacklog(1)));
        // A full queue of a listener leaves further connects pending on most systems.
        StreamSource pending = null;
        List<StreamSource> connected = new ArrayList<>();
        for (int i = 0; i < 32 && pending == null; i++) {
            StreamSource stream;
            try {
                stream = fixture().connect(listener.localAddress());
                boolean done = stream.finishConnect();
                for (int n = 0; n < 20 && !done; n++) {
                    LockSupport.parkNanos(fixture().environment().silenceNanos() / 20);
                    done = stream.finishConnect();
                }
                if (done) {
                    assertEquals(
                            1, stream.write(ByteBuffer.wrap(new byte[] {1})), "a byte written to a new connection");
                    connected.add(stream);
                } else {
                    pending = stream;
                }
            } catch (ConnectException e) {
                throw new TestAbortedException("this system refuses connects to a full listener: " + e);
            }
        }
        Assumptions.assumeTrue(pending != null, "no connect stays pending on this system");
        StreamSource waiting = pending;
        Watch watch = fixture().watch();
        watch.register(waiting, 1, Interest.READ_WRITE, Mode.EDGE);
        List<Event> early = watch.poll(fixture().environment().silenceNanos());
        if (waiting.finishConnect()) {
            throw new TestAbortedException("the pending connect came to its end too early to be looked at");
        }
        assertTrue(early.size() <= 1, () -> "several reports of a pending connect: " + early);
        assertThrows(NotYetConnectedException.class, waiting::shutdownOutput, "shutdownOutput while connecting");
        for (int i = 0; i < connected.size(); i++) {
            fixture().accept(listener);
        }
        if (waiting.localAddress() != null) {
            watch.rearm(waiting, Interest.WRITE);
            watch.awaitDirection(
                    1, Interest.WRITE, "a pending connect comes to its end after connections were accepted");
            fixture().awaitConnected(waiting);
        }
    }

    @Rule("5.6")
    default void connectsCanBeGivenUp() throws Exception {
        Watch watch = fixture().watch();
        ListenerSource listener = fixture().listener();
        fixture().connection(listener);
        int before = fixture().openDescriptors();
        for (int i = 0; i < fixture().environment().rounds(500); i++) {
            StreamSource stream = fixture().provider().connect(listener.localAddress(), ConnectOptions.DEFAULT);
            if (i % 2 == 0) {
                watch.register(stream, i, Interest.READ_WRITE, Mode.EDGE);
            }
            stream.close();
            StreamSource accepted = listener.accept();
            if (accepted != null) {
                accepted.close();
            }
        }
        StreamSource left;
        while ((left = listener.accept()) != null) {
            left.close();
        }
        watch.expectNothingNow("all those connects were given up");
        fixture().expectDescriptorsBackTo(before, 12, "connects were given up again and again");
        fixture().connection(listener);
    }

    @Rule("5.7")
    default void failedConnectsLeakNothing() throws Exception {
        SocketAddress dead = fixture().deadAddress();
        int before = fixture().openDescriptors();
        for (int i = 0; i < fixture().environment().rounds(200); i++) {
            StreamSource[] opened = new StreamSource[1];
            ConnectException refused = assertThrows(ConnectException.class, () -> {
                StreamSource stream = fixture().provider().connect(dead, ConnectOptions.DEFAULT);
                opened[0] = stream;
                fixture().await("the refusal", stream::finishConnect);
            });
            expectNames(dead, refused);
            if (opened[0] != null) {
                opened[0].close();
            }
        }
        // No poll happens: nothing may wait for one to be released.
        fixture().expectDescriptorsBackTo(before, 4, "connects were refused again and again");
    }

    @Rule("5.8")
    default void unknownAddressesAreRefused() throws Exception {
        InetSocketAddress unresolved = InetSocketAddress.createUnresolved("no-such-host.invalid", 9);
        int before = fixture().openDescriptors();
        for (int i = 0; i < 20; i++) {
            assertThrows(
                    UnresolvedAddressException.class,
                    () -> fixture().connect(unresolved),
                    "connect to an unresolved address");
            assertThrows(
                    UnresolvedAddressException.class,
                    () -> fixture().keep(fixture().provider().listen(unresolved, ListenOptions.DEFAULT)),
                    "listen on an unresolved address");
            SocketAddress unknown = new UnknownAddress();
            assertThrows(
                    UnsupportedAddressTypeException.class,
                    () -> fixture().connect(unknown),
                    "connect to an address of an unknown type");
            assertThrows(
                    UnsupportedAddressTypeException.class,
                    () -> fixture().keep(fixture().provider().listen(unknown, ListenOptions.DEFAULT)),
                    "listen on an address of an unknown type");
        }
        fixture().expectDescriptorsBackTo(before, 2, "addresses were refused");
    }

    @Rule("5.9")
    default void internetProtocolVersion6Works() throws Exception {
        InetAddress six = InetAddress.getByAddress(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1});
        ListenerSource listener;
        try {
            listener =
                    fixture().keep(fixture().provider().listen(new InetSocketAddress(six, 0), ListenOptions.DEFAULT));
        } catch (IOException | UnsupportedAddressTypeException e) {
            throw new TestAbortedException("there is no IPv6 loopback here: " + e);
        }
        Connection pair = fixture().connection(listener);
        assertEquals(listener.localAddress(), pair.client().remoteAddress());
        assertEquals(pair.client().localAddress(), pair.server().remoteAddress());
        InetSocketAddress peer = (InetSocketAddress) pair.server().remoteAddress();
        assertEquals(six, peer.getAddress(), "the peer's address");
        assertFalse(peer.toString().contains("%"), () -> peer + " has a scope, which loopback has not");
        fixture().write(pair.client(), "x");
        assertEquals("x", fixture().readText(pair.server(), 1));

        ListenerSource both;
        try {
            both = fixture()
                    .keep(fixture()
                            .provider()
                            .listen(new InetSocketAddress(InetAddress.getByName("::"), 0), ListenOptions.DEFAULT));
        } catch (IOException e) {
            throw new TestAbortedException("the IPv6 wildcard cannot be listened on: " + e);
        }
        int port = ((InetSocketAddress) both.localAddress()).getPort();
        StreamSource four;
        try {
            four = fixture().connect(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port));
            fixture().awaitConnected(four);
        } catch (ConnectException e) {
            throw new TestAbortedException("the IPv6 wildcard does not take IPv4 connections here: " + e);
        }
        StreamSource accepted = fixture().accept(both);
        fixture().write(four, "y");
        assertEquals("y", fixture().readText(accepted, 1));
        InetSocketAddress mapped = (InetSocketAddress) accepted.remoteAddress();
        assertEquals(four.localAddress(), mapped, "an IPv4 client of a dual-stack listener has its IPv4 address");
    }

    @Rule("5.10")
    default void aUsedPortIsRefused() throws Exception {
        ListenerSource first = fixture().listener();
        SocketAddress address = first.localAddress();
        BindException used = assertThrows(
                BindException.class,
                () -> fixture().keep(fixture().provider().listen(address, ListenOptions.DEFAULT)),
                "a second listener on one port");
        expectNames(address, used);
        Connection pair = fixture().connection(first);
        // The server's side closes first, so that its end of the connection lingers.
        pair.server().close();
        fixture().readEnd(pair.client());
        pair.client().close();
        first.close();
        ListenerSource again = fixture().keep(fixture().provider().listen(address, ListenOptions.DEFAULT));
        assertEquals(address, again.localAddress());
        fixture().connection(again);
    }

    @Rule("5.11")
    default void aClosedListenerFreesItsPortAtOnce() throws Exception {
        fixture().inEachMode(mode -> {
            Watch watch = fixture().watch();
            for (int i = 0; i < 20; i++) {
                ListenerSource listener = fixture().listener();
                watch.register(listener, i, Interest.READ, mode);
                watch.pollNow();
                SocketAddress address = listener.localAddress();
                listener.close();
                // No poll in between.
                ListenerSource again = fixture().keep(fixture().provider().listen(address, ListenOptions.DEFAULT));
                watch.register(again, 100 + i, Interest.READ, mode);
                fixture().awaitConnected(fixture().connect(address));
                watch.expectReadable(100 + i, "a listener on the port of one that was closed while registered");
                again.close();
            }
        });
    }

    @Rule("5.12")
    default void acceptWithoutAConnectionWouldBlock() throws Exception {
        ListenerSource listener = fixture().listener();
        assertNull(listener.accept(), "accept, and nobody connects");
        List<StreamSource> clients = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            StreamSource client = fixture().connect(listener.localAddress());
            fixture().awaitConnected(client);
            clients.add(client);
        }
        List<SocketAddress> peers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            peers.add(fixture().accept(listener).remoteAddress());
        }
        for (StreamSource client : clients) {
            assertTrue(peers.contains(client.localAddress()), () -> client + " was not accepted");
        }
        assertNull(listener.accept(), "accept after all were accepted");
    }

    @Rule("5.13")
    default void clientsThatLeaveEarlyHarmNobody() throws Exception {
        Watch watch = fixture().watch();
        ListenerSource listener = fixture().listener();
        watch.register(listener, 1, Interest.READ, Mode.EDGE);
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < 10; i++) {
                StreamSource gone = fixture().connect(listener.localAddress());
                fixture().awaitConnected(gone);
                Fixture.reset(gone);
            }
            StreamSource honest = fixture().connect(listener.localAddress());
            fixture().awaitConnected(honest);
            fixture().write(honest, "here");
            StreamSource served = null;
            while (served == null) {
                watch.expectReadable(1, "an honest client behind ten that left, round " + round);
                StreamSource stream;
                while ((stream = listener.accept()) != null) {
                    if (stream.remoteAddress().equals(honest.localAddress())) {
                        served = fixture().keep(stream);
                    } else {
                        stream.close();
                    }
                }
                watch.rearm(listener, Interest.READ);
            }
            assertEquals("here", fixture().readText(served, 4));
        }
    }

    @Rule("5.14")
    default void addressesOutliveTheConnection() throws Exception {
        Connection pair = fixture().connection();
        SocketAddress client = pair.server().remoteAddress();
        SocketAddress server = pair.client().remoteAddress();
        Fixture.reset(pair.client());
        fixture().await("the reset", () -> {
            try {
                return pair.server().read(ByteBuffer.allocate(1)) == -1;
            } catch (IOException reset) {
                return true;
            }
        });
        assertEquals(client, pair.server().remoteAddress(), "remote address after a reset");
        pair.server().localAddress();
        pair.server().close();
        assertEquals(client, pair.server().remoteAddress(), "remote address after close");
        assertEquals(server, pair.client().remoteAddress(), "remote address of the client after close");
    }

    @Rule("5.15")
    default void unixDomainSocketsWorkOrAreRefused() throws Exception {
        Path directory = Files.createTempDirectory("tck");
        Path path = directory.resolve("s");
        try {
            ListenerSource listener;
            try {
                listener = fixture()
                        .keep(fixture().provider().listen(UnixDomainSocketAddress.of(path), ListenOptions.DEFAULT));
            } catch (UnsupportedAddressTypeException e) {
                assertThrows(
                        UnsupportedAddressTypeException.class,
                        () -> fixture().connect(UnixDomainSocketAddress.of(path)),
                        "connect to a Unix domain address, which listen refuses");
                throw new TestAbortedException("this provider has no Unix domain sockets");
            }
            Connection pair = fixture().connection(listener);
            Watch watch = fixture().watch();
            watch.register(pair.server(), 1, Interest.READ, Mode.EDGE);
            fixture().write(pair.client(), "x");
            watch.expectReadable(1, "a byte over a Unix domain socket");
            assertEquals("x", fixture().readText(pair.server(), 1));
            pair.client().close();
            fixture().readEnd(pair.server());
            assertEquals(UnixDomainSocketAddress.of(path), listener.localAddress(), "address of the listener");

            Path file = Files.writeString(directory.resolve("f"), "precious");
            assertThrows(
                    BindException.class,
                    () -> fixture()
                            .keep(fixture().provider().listen(UnixDomainSocketAddress.of(file), ListenOptions.DEFAULT)),
                    "listen at the path of a regular file");
            assertEquals("precious", Files.readString(file), "the file at whose path a listener was refused");
            IOException dead = assertThrows(
                    IOException.class,
                    () -> fixture()
                            .await(
                                    "the refusal",
                                    fixture().connect(UnixDomainSocketAddress.of(directory.resolve("none")))
                                            ::finishConnect),
                    "connect to a path where nothing is");
            assertTrue(String.valueOf(dead.getMessage()).contains("none"), () -> "the path is not named: " + dead);
        } finally {
            Files.deleteIfExists(directory.resolve("f"));
            Files.deleteIfExists(path);
            Files.deleteIfExists(directory);
        }
    }

    @Rule("5.16")
    default void theLocalAddressCanBeChosen() throws Exception {
        ListenerSource listener = fixture().listener();
        ListenerSource closed = fixture().listener();
        SocketAddress local = closed.localAddress();
        closed.close();
        StreamSource client = fixture()
                .keep(fixture()
                        .provider()
                        .connect(listener.localAddress(), ConnectOptions.DEFAULT.withLocalAddress(local)));
        fixture().awaitConnected(client);
        StreamSource server = fixture().accept(listener);
        assertEquals(local, client.localAddress(), "local address that was asked for");
        assertEquals(local, server.remoteAddress(), "the client's address at the server");
        BindException used = assertThrows(
                BindException.class,
                () -> fixture()
                        .keep(fixture()
                                .provider()
                                .connect(
                                        listener.localAddress(),
                                        ConnectOptions.DEFAULT.withLocalAddress(listener.localAddress()))),
                "connect from the address of a listener");
        expectNames(listener.localAddress(), used);
    }

    /** A type of address that no provider knows. */
    final class UnknownAddress extends SocketAddress {
        private static final long serialVersionUID = 1L;

        @Override
        public String toString() {
            return "unknown address";
        }
    }
}
