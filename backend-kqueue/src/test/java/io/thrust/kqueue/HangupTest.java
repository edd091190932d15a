package io.thrust.kqueue;

import static io.thrust.backend.Net.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import io.thrust.backend.AbstractHangupTest;
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

class HangupTest extends AbstractHangupTest {
    @Override
    protected PollerProvider provider() {
        return Fixture.provider();
    }

    @Override
    protected int pieceSize() {
        return Scratch.PIECE;
    }

    @Test
    void urgentDataEndsAReadShortAndTheSourceDoesNotCountAsDrained() throws IOException {
        try (ListenerSource listener = net().listen();
                Socket client = new Socket()) {
            client.connect(listener.localAddress());
            try (StreamSource server = net().accept(listener);
                    Poller poller = provider().openPoller(1)) {
                sendAroundUrgentByte(client, server);

                poller.register(server, 1, Interest.READ, Mode.EDGE);
                assertThat(server.isDrainedByShortRead())
                        .as("nothing was told yet")
                        .isTrue();
                assertThat(poller.poll(PATIENCE)).isEqualTo(1);
                ByteBuffer buffer = ByteBuffer.allocate(64);
                assertThat(server.read(buffer)).as("short").isEqualTo(3);
                assertThat(server.isDrainedByShortRead()).isFalse();
                assertThat(server.read(buffer)).isEqualTo(3);
                assertThat(server.isDrainedByShortRead()).isTrue();
            }
        }
    }
}
