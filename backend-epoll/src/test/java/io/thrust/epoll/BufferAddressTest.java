package io.thrust.epoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.unix.Buffer;
import io.thrust.backend.Net;
import io.thrust.poll.Interest;
import io.thrust.poll.Mode;
import io.thrust.poll.PipePair;
import io.thrust.poll.Poller;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The kernel is shown the very bytes between position and limit, whatever the buffer is a view of. */
@EnabledOnOs(OS.LINUX)
class BufferAddressTest {
    private static final EpollProvider PROVIDER = new EpollProvider();

    @TempDir
    Path folder;

    @Test
    void theBufferThatIsUsedAgainAndAgainIsKnown() {
        BufferAddress address = new BufferAddress();
        ByteBuffer buffer = ByteBuffer.allocateDirect(64);

        long told = BufferAddress.UNKNOWN;
        for (int i = 0; i < BufferAddress.MOST_MISSES; i++) {
            assertThat(told).isEqualTo(BufferAddress.UNKNOWN);
            told = address.of(buffer);
        }

        assertThat(told).isEqualTo(Buffer.memoryAddress(buffer)).isNotEqualTo(BufferAddress.UNKNOWN);
        assertThat(address.of(buffer.duplicate())).as("another object").isEqualTo(BufferAddress.UNKNOWN);
        assertThat(address.of(buffer)).isEqualTo(told);
    }

    @Test
    void aBufferIsNotHeldOnTo() {
        BufferAddress address = new BufferAddress();
        WeakReference<ByteBuffer> forgotten = use(address);

        long start = System.nanoTime();
        while (!forgotten.refersTo(null)) {
            assertThat(System.nanoTime() - start).isLessThan(Net.PATIENCE);
            System.gc();
        }
    }

    private static WeakReference<ByteBuffer> use(BufferAddress address) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(64);
        for (int i = 0; i < BufferAddress.MOST_MISSES; i++) {
            long unused = address.of(buffer);
        }
        return new WeakReference<>(buffer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"whole", "slice", "slice of a slice", "duplicate", "at its end", "mapped", "read-only"})
    void bytesBetweenPositionAndLimitAreMoved(String kind) throws IOException {
        PipePair pipe = PROVIDER.pipe();
        try (Poller poller = PROVIDER.openPoller(4)) {
            poller.register(pipe.reader(), 1, Interest.READ, Mode.EDGE);
            poller.register(pipe.writer(), 2, Interest.WRITE, Mode.EDGE);
            ByteBuffer memory = kind.equals("mapped") ? mapped() : ByteBuffer.allocateDirect(64);
            fill(memory);
            ByteBuffer source = view(kind, memory);
            ByteBuffer target = kind.equals("read-only") ? memory.duplicate() : view(kind, memory);
            int position = source.position();
            int limit = source.limit();
            byte[] expected = new byte[limit - position];
            source.get(position, expected);

            // Long enough for the addresses to be known, and then with other positions.
            for (int i = 0; i < 2 * BufferAddress.MOST_MISSES; i++) {
                fill(memory);
                int skip = i % expected.length;
                source.limit(limit).position(position + skip);
                assertThat(pipe.writer().write(source)).isEqualTo(expected.length - skip);
                assertThat(source.hasRemaining()).isFalse();

                for (int index = 0; index < 64; index++) {
                    memory.put(index, (byte) -1);
                }
                target.limit(limit).position(position + skip);
                assertThat(pipe.reader().read(target)).isEqualTo(expected.length - skip);
                assertThat(target.hasRemaining()).isFalse();
                assertThat(untouched(memory)).as("bytes outside").isEqualTo(64 - (expected.length - skip));

                byte[] read = new byte[expected.length - skip];
                target.get(position + skip, read);
                assertThat(read).isEqualTo(Arrays.copyOfRange(expected, skip, expected.length));
            }
        } finally {
            pipe.reader().close();
            pipe.writer().close();
        }
    }

    /** With a value for each index, none of which is that of bytes that are untouched. */
    private static void fill(ByteBuffer memory) {
        for (int i = 0; i < 64; i++) {
            memory.put(i, (byte) i);
        }
    }

    private static ByteBuffer view(String kind, ByteBuffer memory) {
        return switch (kind) {
            case "slice" -> memory.slice(8, 40).position(3).limit(20);
            case "slice of a slice" -> memory.slice(8, 40).slice(5, 20).position(1);
            case "duplicate" -> memory.duplicate().position(17).limit(42);
            case "at its end" -> memory.duplicate().position(63);
            case "read-only" -> memory.asReadOnlyBuffer().position(9).limit(33);
            default -> memory.duplicate().position(4).limit(60);
        };
    }

    private ByteBuffer mapped() throws IOException {
        try (FileChannel file = FileChannel.open(
                folder.resolve("mapped"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            return file.map(FileChannel.MapMode.READ_WRITE, 0, 64);
        }
    }

    private static int untouched(ByteBuffer memory) {
        int count = 0;
        for (int i = 0; i < 64; i++) {
            if (memory.get(i) == (byte) -1) {
                count++;
            }
        }
        return count;
    }
}
