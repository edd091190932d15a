package io.thrust.kqueue;

import static io.thrust.kqueue.Fixture.provider;
import static org.assertj.core.api.Assertions.assertThat;

import io.thrust.backend.Net;
import io.thrust.poll.InputSource;
import io.thrust.poll.PipePair;
import io.thrust.poll.SourceClosedException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class CloseRaceTest {

    /**
     * One thread reads from a pipe while another closes it and opens one with data that takes the number. What the first
     * reads there is stolen.
     */
    @Test
    void aReadThatRacesWithTheCloseNeverReadsFromWhoeverHasTheNumberNext() throws Exception {
        ExecutorService reading = Executors.newSingleThreadExecutor();
        int reused = 0;
        int before = Net.openDescriptors();
        try {
            for (int round = 0; round < 3_000; round++) {
                PipePair raced = provider().pipe();
                CountDownLatch go = new CountDownLatch(1);
                Future<Integer> reader = reading.submit(() -> {
                    ByteBuffer buffer = ByteBuffer.allocate(16);
                    go.countDown();
                    try {
                        int read;
                        do {
                            read = raced.reader().read(buffer);
                        } while (read == InputSource.WOULD_BLOCK);
                        return read;
                    } catch (SourceClosedException e) {
                        return 0;
                    }
                });
                go.await();
                int number = ((KqueueSource) raced.reader()).fd;
                raced.reader().close();
                PipePair next = provider().pipe();
                Net.write(next.writer(), "mine");
                reused += ((KqueueSource) next.reader()).fd == number ? 1 : 0;
                assertThat(reader.get()).isZero();
                assertThat(next.reader().read(ByteBuffer.allocate(16))).isEqualTo(4);
                raced.writer().close();
                next.reader().close();
                next.writer().close();
            }
        } finally {
            reading.shutdownNow();
        }
        assertThat(reused).as("rounds in which the number was reused").isPositive();
        assertThat(Net.openDescriptors()).isEqualTo(before);
    }

    @Test
    void theLastToLeaveClosesAndNobodyClosesTwice() throws Exception {
        PipePair pipe = provider().pipe();
        KqueueSource reader = (KqueueSource) pipe.reader();
        reader.enter();
        reader.close();
        // Still under way: the number is not free.
        PipePair other = provider().pipe();
        assertThat(((KqueueSource) other.reader()).fd).isNotEqualTo(reader.fd);
        reader.leave();
        try (PipeEnds reusing = new PipeEnds(provider().pipe())) {
            assertThat(((KqueueSource) reusing.pipe.reader()).fd).isEqualTo(reader.fd);
            reader.close();
            try {
                reader.enter();
                throw new AssertionError("entered what is closed");
            } catch (SourceClosedException expected) {
                assertThat(expected).hasMessage("pipe reader is closed");
            }
            Net.write(reusing.pipe.writer(), "x");
            assertThat(reusing.pipe.reader().read(ByteBuffer.allocate(2))).isEqualTo(1);
        }
        pipe.writer().close();
        other.reader().close();
        other.writer().close();
    }

    private record PipeEnds(PipePair pipe) implements AutoCloseable {
        @Override
        public void close() throws Exception {
            pipe.reader().close();
            pipe.writer().close();
        }
    }
}
