package io.thrust.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thrust.AsyncTimeoutException;
import io.thrust.Timers;
import io.thrust.net.TcpListener;
import io.thrust.net.TcpStream;
import io.thrust.poll.ConnectOptions;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.PollerProvider;
import io.thrust.poll.SourceClosedException;
import io.thrust.task.Async;
import io.thrust.task.Task;
import io.thrust.task.YieldOnce;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardSocketOptions;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Addresses, binding, accepting, and connects that do not come about. */
@OnEveryBackend
class ListenAndConnectTest extends LoopTest {
    ListenAndConnectTest(PollerProvider provider) {
        super(provider);
    }

    @Test
    void aUsedPortIsABindExceptionThatNamesTheAddress() throws IOException {
        try (TcpListener listener = listen()) {
            InetSocketAddress used = listener.localAddress();
            assertThatThrownBy(() -> TcpListener.bind(loop, used, ListenOptions.DEFAULT))
                    .isInstanceOf(BindException.class)
                    .hasMessageContaining(":" + used.getPort())
                    .hasMessageContaining("in use");
        }
        assertThat(loop.reactor().registrationCount()).isZero();
    }

    @Test
    void aPortCanBeBoundAgainThoughConnectionsOfTheFormerListenerLinger() throws IOException {
        TcpListener listener = listen();
        InetSocketAddress address = listener.localAddress();
        Pair pair = pair(listener);
        // The server's end closes first: it is the one that lingers.
        pair.server().close();
        loop.blockOn(readAll(pair.client()));
        pair.client().close();
        listener.close();

        try (TcpListener again = TcpListener.bind(loop, address, ListenOptions.DEFAULT)) {
            pair(again).close();
        }
    }

    @Test
    void anAddressOfAnotherMachineIsABindException() {
        assertThatThrownBy(() -> TcpListener.bind(loop, new InetSocketAddress("192.0.2.1", 0), ListenOptions.DEFAULT))
                .isInstanceOf(BindException.class)
                .hasMessageContaining("192.0.2.1");
    }

    @Test
    void unresolvedNamesAreRefusedAtOnceAndNothingIsOpened() throws IOException {
        loop.blockOn(new YieldOnce());
        InetSocketAddress nowhere = InetSocketAddress.createUnresolved("nowhere.invalid", 80);
        int before = descriptors();

        assertThatThrownBy(() -> loop.blockOn(TcpStream.connect(nowhere)))
                .isInstanceOf(UnresolvedAddressException.class);
        assertThatThrownBy(() -> TcpListener.bind(loop, nowhere, ListenOptions.DEFAULT))
                .isInstanceOf(UnresolvedAddressException.class);

        assertDescriptors(before);
        assertThat(loop.reactor().registrationCount()).isZero();
    }

    @Test
    void ipv6ConnectsToAnIpv6Listener() throws Exception {
        InetAddress loopback = InetAddress.getByName("::1");
        assumeTrue(NetworkInterface.getByInetAddress(loopback) != null, "this machine has no IPv6 loopback");
        try (TcpListener listener = TcpListener.bind(loop, new InetSocketAddress(loopback, 0), ListenOptions.DEFAULT)) {
            Pair pair = pair(listener);

            assertThat(listener.localAddress().getAddress()).isEqualTo(loopback);
            assertThat(pair.client().remoteAddress()).isEqualTo(listener.localAddress());
            assertThat(pair.server().remoteAddress()).isEqualTo(pair.client().localAddress());
            loop.blockOn(pair.client().writeAll(bytes("six")));
            assertThat(text(loop.blockOn(fill(pair.server(), 3)))).isEqualTo("six");
            pair.close();
        }
    }

    @Test
    void ipv4ConnectsToAWildcardListener() throws Exception {
        try (TcpListener listener = TcpListener.bind(loop, new InetSocketAddress(0), ListenOptions.DEFAULT)) {
            InetSocketAddress address =
                    new InetSocketAddress("127.0.0.1", listener.localAddress().getPort());
            Pair pair = loop.blockOn(Async.lazy(() -> {
                Task<TcpStream> accepted = loop.spawn(listener.accept());
                return TcpStream.connect(address)
                        .then(client -> accepted.join().map(server -> new Pair(client, server)));
            }));

            assertThat(pair.server().remoteAddress()).isEqualTo(pair.client().localAddress());
            assertThat(pair.server().localAddress()).isEqualTo(address);
            pair.close();
        }
    }

    @Test
    void aConnectIsBoundToTheLocalAddressThatIsAskedFor() throws Exception {
        try (TcpListener listener = listen()) {
            Task<TcpStream> accepted = loop.spawn(listener.accept());
            InetSocketAddress local = new InetSocketAddress("127.0.0.1", 0);
            TcpStream client = loop.blockOn(TcpStream.connect(
                    listener.localAddress(),
                    ConnectOptions.DEFAULT.withLocalAddress(local).withNoDelay(false)));

            assertThat(client.localAddress().getAddress()).isEqualTo(local.getAddress());
            assertThat(client.getOption(StandardSocketOptions.TCP_NODELAY)).isFalse();
            assertThat(accepted.result().remoteAddress()).isEqualTo(client.localAddress());
        }
    }

    // ---- accepting

    @Test
    void anAcceptThatIsCancelledLosesNoConnection() throws IOException {
        try (TcpListener listener = listen()) {
            for (int i = 0; i < 100; i++) {
                Task<TcpStream> given = loop.spawn(listener.accept());
                loop.turn(0);
                Task<TcpStream> connect = loop.spawn(TcpStream.connect(listener.localAddress()));
                if (i % 2 == 0) {
                    loop.turn(0);
                }
                given.cancel();
                TcpStream early = given.isCancelled() ? null : loop.blockOn(given.join());

                TcpStream accepted = early != null ? early : loop.blockOn(listener.accept());
                TcpStream client = loop.blockOn(connect.join());

                assertThat(accepted.remoteAddress()).isEqualTo(client.localAddress());
                client.close();
                accepted.close();
            }
        }
    }

    @Test
    void aSecondAcceptIsRefusedAndTheFirstGoesOn() throws Exception {
        try (TcpListener listener = listen()) {
            Task<TcpStream> first = loop.spawn(listener.accept());
            Task<TcpStream> second = loop.spawn(listener.accept());
            loop.turn(0);
            assertThatThrownBy(second::result).isInstanceOf(IllegalStateException.class);

            TcpStream client = loop.blockOn(TcpStream.connect(listener.localAddress()));

            assertThat(first.result().remoteAddress()).isEqualTo(client.localAddress());
        }
    }

    @Test
    void connectionsThatCameTogetherAreAcceptedOneAfterTheOther() throws IOException {
        try (TcpListener listener = listen()) {
            List<Task<TcpStream>> connects = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                connects.add(loop.spawn(TcpStream.connect(listener.localAddress())));
            }
            loop.run();

            List<Object> accepted = new ArrayList<>();
            loop.blockOn(Async.loop(() -> listener.accept().map(stream -> {
                accepted.add(stream.remoteAddress());
                return accepted.size() < 50;
            })));

            assertThat(accepted).doesNotHaveDuplicates();
        }
    }

    @Test
    void closingAListenerFailsTheAcceptUnderWay() throws IOException {
        TcpListener listener = listen();
        Task<TcpStream> accept = loop.spawn(listener.accept());
        loop.turn(0);

        listener.close();
        loop.run();

        assertThatThrownBy(accept::result).isInstanceOf(SourceClosedException.class);
        assertThatThrownBy(() -> loop.blockOn(listener.accept())).isInstanceOf(SourceClosedException.class);
        assertThatThrownBy(() -> loop.blockOn(TcpStream.connect(listener.localAddress())))
                .isInstanceOf(java.net.ConnectException.class);
    }

    // ---- connects that hang

    /** A listener whose queue is full: on Linux a further connect stays pending. */
    private TcpListener full(List<Task<TcpStream>> waiting) throws IOException {
        TcpListener listener = TcpListener.bind(loop, loopback(0), ListenOptions.DEFAULT.withBacklog(1));
        for (int i = 0; i < 4; i++) {
            waiting.add(loop.spawnBackground(TcpStream.connect(listener.localAddress())));
        }
        for (int i = 0; i < 20; i++) {
            loop.turn(5_000_000);
        }
        assumeTrue(waiting.stream().anyMatch(task -> !task.isDone()), "this system has no full backlog");
        return listener;
    }

    @Test
    void aConnectThatHangsEndsWithTheTimeoutAndLeavesNoDescriptor() throws IOException {
        List<Task<TcpStream>> waiting = new ArrayList<>();
        try (TcpListener listener = full(waiting)) {
            int before = descriptors();
            int registrations = loop.reactor().registrationCount();

            Task<TcpStream> connect =
                    loop.spawn(Timers.timeout(Duration.ofMillis(20), TcpStream.connect(listener.localAddress())));
            while (!connect.isDone()) {
                loop.turn(-1);
            }

            assertThatThrownBy(connect::result)
                    .isInstanceOf(AsyncTimeoutException.class)
                    .hasMessageContaining("PT0.02S");
            assertThat(loop.reactor().registrationCount()).isEqualTo(registrations);
            assertDescriptors(before);
        }
    }

    @Test
    void aThousandConnectsThatHangAndAreCancelledLeaveNoDescriptor() throws IOException {
        List<Task<TcpStream>> waiting = new ArrayList<>();
        try (TcpListener listener = full(waiting)) {
            int before = descriptors();
            for (int round = 0; round < 10; round++) {
                List<Task<TcpStream>> connects = new ArrayList<>();
                for (int i = 0; i < 100; i++) {
                    connects.add(loop.spawnBackground(TcpStream.connect(listener.localAddress())));
                }
                for (int i = 0; i < 5; i++) {
                    loop.turn(0);
                }
                assertThat(connects).noneMatch(Task::isDone);
                connects.forEach(Task::cancel);
            }
            assertDescriptors(before);
        }
    }
}
