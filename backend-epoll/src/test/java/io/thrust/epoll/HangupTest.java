package io.thrust.epoll;

import static io.thrust.backend.Net.PATIENCE;
import static io.thrust.backend.Net.SILENCE;
import static org.assertj.core.api.Assertions.assertThat;

import io.thrust.backend.AbstractHangupTest;
import io.thrust.poll.InputSource;
import io.thrust.poll.Interest;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.Mode;
import io.thrust.poll.Poller;
import io.thrust.poll.PollerProvider;
import io.thrust.poll.StreamSource;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class HangupTest extends AbstractHangupTest {
    @Override
    protected PollerProvider provider() {
        return new EpollProvider();
    }

    @Override
    protected int pieceSize() {
        return Transfer.PIECE;
    }

    // ---- urgent data, which a poller over epoll learns of and one over kqueue does not

    @Test
    void urgentDataComesAsHangupSoThatAShortReadIsNotTakenForADrainedSource() throws IOException {
        try (ListenerSource listener = net().listen();
                Socket client = new Socket()) {
            client.connect(listener.localAddress());
            try (StreamSource server = net().accept(listener);
                    Poller poller = provider().openPoller(1)) {
                sendAroundUrgentByte(client, server);

                poller.register(server, 1, Interest.READ, Mode.EDGE);
                assertThat(poller.poll(PATIENCE)).isEqualTo(1);
                assertThat(poller.events().isHangup(0)).isTrue();
                ByteBuffer buffer = ByteBuffer.allocate(64);
                assertThat(server.read(buffer)).as("short").isEqualTo(3);
                assertThat(server.read(buffer)).isEqualTo(3);
                assertThat(server.read(buffer)).isEqualTo(InputSource.END_OF_STREAM);
            }
        }
    }

    @Test
    void urgentDataAloneIsHangupInEdgeModeAndSilentInTheOthers() throws IOException {
        try (ListenerSource listener = net().listen();
                Socket client = new Socket()) {
            client.connect(listener.localAddress());
            try (StreamSource server = net().accept(listener);
                    Poller poller = provider().openPoller(1)) {
                poller.register(server, 1, Interest.READ, Mode.EDGE);
                client.sendUrgentData('!');
                assertThat(poller.poll(PATIENCE)).isEqualTo(1);
                assertThat(poller.events().isHangup(0)).isTrue();

                poller.modify(server, 2, Interest.READ, Mode.ONE_SHOT);
                assertThat(poller.poll(SILENCE)).isZero();
                poller.modify(server, 2, Interest.READ, Mode.LEVEL);
                assertThat(poller.poll(SILENCE)).isZero();
                assertThat(server.read(ByteBuffer.allocate(8))).isEqualTo(InputSource.WOULD_BLOCK);
                client.getOutputStream().write('x');
                assertThat(poller.poll(PATIENCE)).isEqualTo(1);
                assertThat(server.read(ByteBuffer.allocate(8))).isEqualTo(1);
                assertThat(poller.poll(SILENCE)).isZero();
            }
        }
    }
}
