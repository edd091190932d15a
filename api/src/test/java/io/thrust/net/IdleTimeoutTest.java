package io.thrust.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thrust.EventLoop;
import io.thrust.poll.InputSource;
import io.thrust.poll.spi.FakePoller;
import io.thrust.poll.spi.FakeProvider;
import io.thrust.poll.spi.FakeSource;
import io.thrust.reactor.IdleTimeoutException;
import io.thrust.task.Task;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A stream's idle timeout, by a clock that only the test moves. */
@Timeout(60)
class IdleTimeoutTest {
    private final FakeProvider provider = new FakeProvider();
    private final FakeSource source = new FakeSource(provider, "socket");
    private final FakePoller poller;
    private final EventLoop loop;
    private final TcpStream stream;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(100);
    private long now;

    IdleTimeoutTest() throws IOException {
        loop = EventLoop.builder()
                .provider(provider)
                .clock(() -> now)
                .batchCapacity(8)
                .open();
        poller = provider.poller;
        provider.next = source;
        poller.onPoll = () -> {
            poller.ready(source, true, true, false);
            poller.onPoll = () -> {};
        };
        stream = loop.blockOn(TcpStream.connect(new InetSocketAddress("127.0.0.1", 1)))
                .setIdleTimeout(Duration.ofSeconds(10));
    }

    @AfterEach
    void closeLeavesNoTimer() {
        loop.close();
        assertThat(loop.reactor().timers().size()).isZero();
    }

    private void advance(long seconds) {
        now += Duration.ofSeconds(seconds).toNanos();
        loop.turn(0);
        loop.turn(0);
    }

    private void receive(int bytes) {
        int[] left = {bytes};
        source.onRead = buffers -> {
            if (left[0] == 0) {
                return InputSource.WOULD_BLOCK;
            }
            left[0]--;
            buffers[0].put((byte) 1);
            return 1;
        };
        poller.ready(source, true, false, false);
        loop.turn(0);
        loop.turn(0);
    }

    @Test
    void aReadThatWaitsForTooLongFailsAndTheStreamStaysOpen() {
        Task<Integer> read = loop.spawn(stream.read(buffer));
        loop.turn(0);
        advance(9);
        assertThat(read.isDone()).isFalse();

        advance(1);

        assertThatThrownBy(read::result)
                .isInstanceOf(IdleTimeoutException.class)
                .hasMessageContaining("socket")
                .hasMessageContaining("PT10S");
        assertThat(stream.isOpen()).isTrue();
        Task<Integer> next = loop.spawn(stream.read(buffer));
        receive(1);
        assertThat(next.isDone()).isTrue();
    }

    @Test
    void progressOfTheOtherDirectionKeepsAReadWaiting() throws Exception {
        Task<Integer> read = loop.spawn(stream.read(buffer));
        loop.turn(0);
        advance(6);
        source.onWrite = buffers -> {
            int written = buffers[0].remaining();
            buffers[0].position(buffers[0].limit());
            return written;
        };
        loop.spawn(stream.writeAll(ByteBuffer.allocate(10)));
        loop.turn(0);
        advance(9);
        assertThat(read.isDone()).isFalse();

        advance(1);

        assertThat(read.isDone()).isTrue();
        assertThatThrownBy(read::result).isInstanceOf(IdleTimeoutException.class);
    }

    @Test
    void bothDirectionsThatWaitFail() {
        Task<Integer> read = loop.spawn(stream.read(buffer));
        Task<Void> write = loop.spawn(stream.writeAll(ByteBuffer.allocate(10)));
        loop.turn(0);

        advance(10);

        assertThatThrownBy(read::result).isInstanceOf(IdleTimeoutException.class);
        assertThatThrownBy(write::result).isInstanceOf(IdleTimeoutException.class);
    }

    @Test
    void timeInWhichNobodyWaitsDoesNotCount() {
        loop.turn(0);
        advance(100);
        Task<Integer> read = loop.spawn(stream.read(buffer));
        loop.turn(0);
        advance(9);
        assertThat(read.isDone()).isFalse();
        receive(1);
        assertThat(read.isDone()).isTrue();

        advance(100);

        assertThat(loop.reactor().timers().size()).isZero();
    }

    @Test
    void dataThatComesTogetherWithTheTimeWins() throws Exception {
        Task<Integer> read = loop.spawn(stream.read(buffer));
        loop.turn(0);
        now += Duration.ofSeconds(10).toNanos();

        receive(1);

        assertThat(read.result()).isEqualTo(1);
    }

    @Test
    void anyNumberOfReadsHasOneTimer() {
        for (int i = 0; i < 50; i++) {
            Task<Integer> read = loop.spawn(stream.read(buffer.clear()));
            loop.turn(0);
            receive(1);
            assertThat(read.isDone()).isTrue();
            advance(1);
            assertThat(loop.reactor().timers().size()).isLessThanOrEqualTo(1);
        }
    }

    @Test
    void zeroTurnsItOffAndNegativeIsRefused() {
        Task<Integer> read = loop.spawn(stream.read(buffer));
        loop.turn(0);
        stream.setIdleTimeout(Duration.ZERO);

        advance(1000);

        assertThat(read.isDone()).isFalse();
        assertThat(loop.reactor().timers().size()).isZero();
        assertThatThrownBy(() -> stream.setIdleTimeout(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT-1S");
    }
}
