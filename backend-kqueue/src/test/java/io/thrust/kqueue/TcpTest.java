package io.thrust.kqueue;

import static io.thrust.backend.Net.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import io.thrust.backend.AbstractTcpTest;
import io.thrust.backend.Net;
import io.thrust.poll.Interest;
import io.thrust.poll.Mode;
import io.thrust.poll.Poller;
import io.thrust.poll.PollerProvider;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class TcpTest extends AbstractTcpTest {
    @Override
    protected PollerProvider provider() {
        return Fixture.provider();
    }

    /** A BSD makes an edge of each acknowledgement. */
    @Test
    void whatWasSentAndAcknowledgedIsNoEventUnlessItWasAskedFor() throws IOException {
        try (Net.Pair pair = net().pair();
                Poller poller = provider().openPoller(1)) {
            poller.register(pair.client(), 1, Interest.READ_WRITE, Mode.EDGE);
            assertThat(poller.poll(PATIENCE)).isEqualTo(1);
            assertThat(poller.events().isWritable(0)).isTrue();
            for (int round = 0; round < 20; round++) {
                Net.write(pair.client(), "x");
                assertThat(net().readSome(pair.server(), ByteBuffer.allocate(8)))
                        .isEqualTo(1);
                Net.write(pair.server(), "y");
                assertThat(poller.poll(PATIENCE)).isEqualTo(1);
                assertThat(poller.events().isWritable(0)).isFalse();
                assertThat(pair.client().read(ByteBuffer.allocate(8))).isEqualTo(1);
            }
            poller.rearm(pair.client(), Interest.WRITE);
            assertThat(poller.poll(PATIENCE)).isEqualTo(1);
            assertThat(poller.events().isWritable(0)).isTrue();
        }
    }
}
