package io.thrust.backend;

import static io.thrust.backend.Net.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thrust.poll.ConnectOptions;
import io.thrust.poll.InputSource;
import io.thrust.poll.Interest;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.Mode;
import io.thrust.poll.Poller;
import io.thrust.poll.StreamSource;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What a backend keeps that tells of hangups. They tell these tests that all of a stream has come, too: for the others
 * there is no way to know that before it is read.
 */
@Timeout(120)
public abstract class AbstractHangupTest extends AbstractBackendTest {

    /** A heap buffer that is larger goes through native memory in pieces of this many bytes. */
    protected abstract int pieceSize();

    /**
     * Sends three bytes, an urgent one, three more and the end. Returns when all of it is there, as it makes one edge then:
     * once the end of the stream is, which is waited for apart.
     */
    protected final void sendAroundUrgentByte(Socket client, StreamSource server) throws IOException {
        client.setTcpNoDelay(true);
        client.getOutputStream().write("abc".getBytes(StandardCharsets.UTF_8));
        client.sendUrgentData('d');
        client.getOutputStream().write("efg".getBytes(StandardCharsets.UTF_8));
        client.shutdownOutput();
        net().awaitEndOfStream(server);
    }

    @Test
    void dataAndEndOfStreamInOneEdgeCarryAHangup() throws IOException {
        try (Net.Pair pair = net().pair();
                Poller poller = provider().openPoller(1)) {
            Net.write(pair.client(), "data");
            pair.client().close();
            net().awaitEndOfStream(pair.server());
            poller.register(pair.server(), 1, Interest.READ, Mode.EDGE);
            assertThat(poller.poll(PATIENCE)).isEqualTo(1);
            assertThat(poller.events().isHangup(0)).isTrue();
            ByteBuffer buffer = ByteBuffer.allocate(64);
            assertThat(pair.server().read(buffer)).isEqualTo(4);
            assertThat(pair.server().read(buffer)).isEqualTo(InputSource.END_OF_STREAM);
        }
    }

    @Test
    void aHeapBufferLargerThanAPieceIsMovedByOneCall() throws IOException {
        byte[] bytes = new byte[3 * pieceSize() + 17];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 31);
        }
        ConnectOptions options = ConnectOptions.DEFAULT.withSendBuffer(1 << 20);
        ListenOptions listenOptions = ListenOptions.DEFAULT.withReceiveBuffer(1 << 20);
        try (ListenerSource listener = provider().listen(Net.loopback(), listenOptions);
                StreamSource client = provider().connect(listener.localAddress(), options)) {
            net().finish(client);
            try (StreamSource server = net().accept(listener)) {
                int written = client.write(ByteBuffer.wrap(bytes));
                assertThat(written).as("room was asked for").isGreaterThan(2 * pieceSize());
                client.shutdownOutput();
                net().awaitEndOfStream(server);
                ByteBuffer read = ByteBuffer.allocate(bytes.length);
                assertThat(server.read(read)).isEqualTo(written);
                assertThat(read.flip()).isEqualTo(ByteBuffer.wrap(bytes, 0, written));
                assertThatThrownBy(() -> server.read(ByteBuffer.allocate(1).asReadOnlyBuffer()))
                        .isInstanceOf(IllegalArgumentException.class);
            }
        }
    }
}
