package io.thrust.nio;

import static io.thrust.backend.Net.PATIENCE;
import static io.thrust.backend.Net.write;
import static io.thrust.nio.Fixtures.NET;
import static io.thrust.nio.Fixtures.NIO;
import static io.thrust.nio.Fixtures.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thrust.backend.Net;
import io.thrust.backend.Net.Pair;
import io.thrust.poll.ConnectionResetException;
import io.thrust.poll.InputSource;
import io.thrust.poll.Interest;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.Mode;
import io.thrust.poll.Poller;
import io.thrust.poll.Source;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When the selector lets go of what is closed: at once, but for connections that end while a crowd is ready. */
@Timeout(60)
class NioClosingTest {
    private static final int CROWD = 256;

    private final List<Pair> pairs = new ArrayList<>();
    private FaultySelector selector;
    private Poller poller;

    @BeforeEach
    void open() throws Exception {
        selector = new FaultySelector();
        poller = new NioPoller(NIO, 2 * CROWD, () -> selector);
    }

    @AfterEach
    void close() throws Exception {
        poller.close();
        for (Pair pair : pairs) {
            pair.close();
        }
    }

    private Pair add(Mode mode) throws Exception {
        Pair pair = NET.pair();
        pairs.add(pair);
        poller.register(pair.server(), pairs.size(), Interest.READ, mode);
        return pair;
    }

    /** All of a crowd are ready, and the last poll has seen it. */
    private void assemble() throws Exception {
        for (int i = 0; i < CROWD; i++) {
            write(add(Mode.LEVEL).client(), "a");
        }
        long start = System.nanoTime();
        while (poller.poll(0) < CROWD) {
            assertThat(System.nanoTime() - start).isLessThan(PATIENCE);
        }
    }

    @Test
    void aConnectionIsLetGoOfAtOnce() throws Exception {
        Pair pair = add(Mode.EDGE);
        assertThat(poller.poll(0)).isZero();

        pair.server().close();

        assertThat(selector.keys()).isEmpty();
    }

    @Test
    void whenAllEndAtOnceTheCrowdIsNotFoundAgainForEach() throws Exception {
        assemble();
        int selects = selector.selects;

        for (Pair pair : pairs) {
            pair.server().close();
        }

        assertThat(selector.selects - selects).isLessThan(CROWD / 2);
        assertThat(poller.poll(0)).isZero();
        assertThat(selector.keys()).isEmpty();
    }

    @Test
    void thoseThatCloseInACrowdAreLetGoOfByTheNextPoll() throws Exception {
        assemble();

        pairs.get(0).server().close();
        assertThat(poller.poll(0)).isEqualTo(CROWD - 1);

        assertThat(selector.keys()).hasSize(CROWD - 1);
    }

    @Test
    void thePeerSeesTheEndAtOnceInACrowdToo() throws Exception {
        assemble();
        Pair pair = pairs.get(0);
        assertThat(read(pair.server())).isEqualTo("a");

        pair.server().close();

        assertThat(selector.keys()).hasSize(CROWD);
        assertThat(NET.readSome(pair.client(), ByteBuffer.allocate(8))).isEqualTo(InputSource.END_OF_STREAM);
    }

    @Test
    void thePeerSeesAResetAtOnceInACrowdToo() throws Exception {
        assemble();
        Pair pair = pairs.get(0);
        pair.server().setOption(StandardSocketOptions.SO_LINGER, 0);

        pair.server().close();

        assertThat(selector.keys()).hasSize(CROWD - 1);
        assertThatThrownBy(() -> NET.readSome(pair.client(), ByteBuffer.allocate(8)))
                .isInstanceOf(ConnectionResetException.class);
    }

    @Test
    void whatIsDeregisteredAndStaysOpenIsLetGoOfAtOnceInACrowdToo() throws Exception {
        assemble();

        poller.deregister(pairs.get(0).server());

        assertThat(selector.keys()).hasSize(CROWD - 1);
    }

    @Test
    void anAddressIsFreeAtOnceInACrowdToo() throws Exception {
        ListenerSource listener = NET.listen();
        poller.register(listener, 0, Interest.READ, Mode.EDGE);
        assemble();

        listener.close();

        assertThat(selector.keys()).hasSize(CROWD);
    }

    @Test
    void theChannelOfAUserIsLetGoOfAtOnceInACrowdToo() throws Exception {
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(Net.loopback());
                SocketChannel channel = SocketChannel.open(server.getLocalAddress())) {
            channel.configureBlocking(false);
            Source borrowed = NIO.adopt(channel);
            poller.register(borrowed, 0, Interest.READ, Mode.EDGE);
            assemble();

            borrowed.close();

            channel.configureBlocking(true);
            assertThat(selector.keys()).hasSize(CROWD);
        }
    }
}
