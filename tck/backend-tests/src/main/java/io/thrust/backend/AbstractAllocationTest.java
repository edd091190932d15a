package io.thrust.backend;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.thrust.poll.InputSource;
import io.thrust.poll.Interest;
import io.thrust.poll.Mode;
import io.thrust.poll.PipePair;
import io.thrust.poll.Poller;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nothing is allocated on the way of an event. */
@Timeout(120)
public abstract class AbstractAllocationTest extends AbstractBackendTest {
    private static final int ROUNDS = 50_000;

    private interface Step {
        void run() throws IOException;
    }

    private static void assertAllocatesNothing(Step step) throws IOException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        double least = Double.MAX_VALUE;
        // The first runs warm up; a compilation in a later one must not count, so the best of several does.
        for (int run = 0; run < 4; run++) {
            long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
            for (int i = 0; i < ROUNDS; i++) {
                step.run();
            }
            long after = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
            least = Math.min(least, (double) (after - before) / ROUNDS);
        }
        assertThat(least).as("bytes per round").isLessThan(1);
    }

    @Test
    void emptyPolls() throws IOException {
        try (Poller poller = provider().openPoller(16)) {
            assertAllocatesNothing(() -> poller.poll(0));
            assertAllocatesNothing(() -> poller.poll(1));
            assertAllocatesNothing(() -> {
                poller.wakeup();
                poller.poll(Poller.FOREVER);
            });
        }
    }

    @Test
    void eventsReadsWritesAndRearms() throws IOException {
        ByteBuffer[] buffers = {ByteBuffer.allocate(64), ByteBuffer.allocateDirect(64)};
        ByteBuffer[] vector = {ByteBuffer.allocate(32), ByteBuffer.allocateDirect(32)};
        PipePair pipe = provider().pipe();
        try (Poller poller = provider().openPoller(16);
                Net.Pair pair = net().pair()) {
            poller.register(pair.server(), 1, Interest.READ, Mode.EDGE);
            poller.register(pipe.reader(), 2, Interest.READ, Mode.LEVEL);
            for (ByteBuffer buffer : buffers) {
                assertAllocatesNothing(() -> {
                    buffer.clear();
                    pair.client().write(buffer);
                    buffer.clear();
                    poller.poll(Poller.FOREVER);
                    require(pair.server().read(buffer) == 64);
                    buffer.clear();
                    require(pair.server().read(buffer) == InputSource.WOULD_BLOCK);
                    poller.rearm(pair.server(), Interest.READ);
                });
            }
            assertAllocatesNothing(() -> {
                vector[0].clear();
                vector[1].clear();
                require(pipe.writer().write(vector, 0, 2) == 64);
                poller.poll(Poller.FOREVER);
                buffers[0].clear();
                require(pipe.reader().read(buffers[0]) == 64);
            });
        }
        pipe.reader().close();
        pipe.writer().close();
    }

    private static void require(boolean condition) {
        if (!condition) {
            throw new AssertionError("the round did not go as planned");
        }
    }
}
