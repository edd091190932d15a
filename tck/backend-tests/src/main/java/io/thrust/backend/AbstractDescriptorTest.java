package io.thrust.backend;

import static io.thrust.backend.Net.PATIENCE;
import static io.thrust.backend.Net.SILENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thrust.poll.AlreadyRegisteredException;
import io.thrust.poll.Interest;
import io.thrust.poll.Mode;
import io.thrust.poll.PipePair;
import io.thrust.poll.Poller;
import io.thrust.poll.Source;
import io.thrust.poll.SourceClosedException;
import io.thrust.poll.StreamSource;
import java.io.IOException;
import java.io.OutputStream;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a backend keeps whose sources are descriptors, with numbers that the system gives again. */
@Timeout(60)
public abstract class AbstractDescriptorTest extends AbstractBackendTest {
    private PipePair pipe;
    private Poller poller;
    private int fd;

    /** The number of a source's descriptor. */
    protected abstract int descriptorOf(Source source);

    protected abstract Source adopt(int descriptor);

    protected abstract Source adopt(int descriptor, Interest directions);

    @BeforeEach
    void open() throws IOException {
        poller = provider().openPoller(4);
        pipe = provider().pipe();
        fd = descriptorOf(pipe.reader());
    }

    @AfterEach
    void close() throws IOException {
        if (pipe == null) {
            return; // skipped: there is no provider
        }
        poller.close();
        pipe.reader().close();
        pipe.writer().close();
    }

    private void writeByte() throws IOException {
        Net.write(pipe.writer(), "x");
    }

    private void readByte() throws IOException {
        assertThat(pipe.reader().read(ByteBuffer.allocate(8))).isEqualTo(1);
    }

    // ---- descriptors of others

    @Test
    void aBorrowedDescriptorIsWatchedAndStaysOpenWhenItsSourceIsClosed() throws IOException {
        Source source = adopt(fd, Interest.READ);
        poller.register(source, 7, Interest.READ, Mode.LEVEL);
        assertThat(poller.poll(SILENCE)).isZero();
        writeByte();
        assertThat(poller.poll(PATIENCE)).isEqualTo(1);
        assertThat(poller.events().key(0)).isEqualTo(7);
        assertThat(source).hasToString("adopted fd " + fd);

        source.close();
        assertThat(source.isOpen()).isFalse();
        assertThat(poller.poll(SILENCE)).isZero();
        readByte();

        Source again = adopt(fd, Interest.READ);
        poller.register(again, 8, Interest.READ, Mode.EDGE);
        writeByte();
        assertThat(poller.poll(PATIENCE)).isEqualTo(1);
        assertThat(poller.events().key(0)).isEqualTo(8);
    }

    @Test
    void closingThePollerLeavesABorrowedDescriptorOpen() throws IOException {
        poller.register(adopt(fd), 1, Interest.READ, Mode.LEVEL);
        poller.close();
        writeByte();
        readByte();
    }

    @Test
    void aSecondSourceOverTheSameDescriptorIsRefused() throws IOException {
        poller.register(adopt(fd), 1, Interest.READ, Mode.LEVEL);
        Source second = adopt(fd);
        assertThatThrownBy(() -> poller.register(second, 2, Interest.READ, Mode.LEVEL))
                .isInstanceOf(AlreadyRegisteredException.class);
        writeByte();
        assertThat(poller.poll(PATIENCE)).isEqualTo(1);
        assertThat(poller.events().key(0)).isEqualTo(1);
    }

    @Test
    void aRegularFileIsRefusedAndThePollerWorksOn(@TempDir Path directory) throws IOException {
        Path path = directory.resolve("file");
        try (OutputStream file = Files.newOutputStream(path)) {
            int regular = descriptorOf(path);
            Source source = adopt(regular);
            assertThatThrownBy(() -> poller.register(source, 1, Interest.READ_WRITE, Mode.LEVEL))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("adopted fd " + regular)
                    .hasMessageContaining(provider().name() + " cannot watch");
            source.close();
            file.write(1);
        }
        poller.register(adopt(fd), 2, Interest.READ, Mode.LEVEL);
        writeByte();
        assertThat(poller.poll(PATIENCE)).isEqualTo(1);
    }

    private static int descriptorOf(Path path) throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors
                    .filter(link -> {
                        try {
                            return Files.readSymbolicLink(link).equals(path.toRealPath());
                        } catch (IOException e) {
                            return false; // the one of this listing
                        }
                    })
                    .map(link -> Integer.parseInt(link.getFileName().toString()))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void aDescriptorClosedBehindItsSourceIsReportedAndThePollerWorksOn() throws IOException {
        Source gone = adopt(fd);
        poller.register(gone, 1, Interest.READ, Mode.EDGE);
        pipe.reader().close();
        assertThatThrownBy(() -> poller.modify(gone, 1, Interest.READ, Mode.EDGE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("was closed without closing the source");
        gone.close();
        Source never = adopt(fd);
        assertThatThrownBy(() -> poller.register(never, 1, Interest.READ, Mode.EDGE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(never.toString());

        PipePair other = provider().pipe();
        poller.register(other.reader(), 3, Interest.READ, Mode.EDGE);
        Net.write(other.writer(), "x");
        assertThat(poller.poll(PATIENCE)).isEqualTo(1);
        assertThat(poller.events().key(0)).isEqualTo(3);
        other.reader().close();
        other.writer().close();
    }

    @Test
    void directionsAreChecked() {
        assertThatThrownBy(() -> adopt(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> adopt(0, Interest.NONE)).isInstanceOf(IllegalArgumentException.class);
        Source reader = adopt(fd, Interest.READ);
        assertThatThrownBy(() -> poller.register(reader, 1, Interest.WRITE, Mode.LEVEL))
                .isInstanceOf(IllegalArgumentException.class);
    }

    // ---- descriptors of its own

    @Test
    void aClosedStreamNeverTouchesTheNumberItHad() throws IOException {
        Net.Pair first = net().pair();
        int past = descriptorOf(first.client());
        first.close();
        try (Net.Pair second = net().pair()) {
            // The numbers were free, so one of the new streams has it.
            assertThat(new int[] {descriptorOf(second.client()), descriptorOf(second.server())})
                    .contains(past);
            StreamSource closed = first.client();
            assertThatThrownBy(() -> closed.write(ByteBuffer.allocate(1))).isInstanceOf(SourceClosedException.class);
            assertThatThrownBy(() -> closed.read(ByteBuffer.allocate(1))).isInstanceOf(SourceClosedException.class);
            assertThatThrownBy(closed::shutdownOutput).isInstanceOf(SourceClosedException.class);
            assertThatThrownBy(closed::localAddress).isInstanceOf(SourceClosedException.class);
            assertThatThrownBy(() -> closed.setOption(StandardSocketOptions.SO_LINGER, 0))
                    .isInstanceOf(SourceClosedException.class);
            closed.close();
            assertThat(closed.toString()).startsWith("tcp stream ");
            Net.write(second.client(), "ok");
            second.client().shutdownOutput();
            assertThat(net().readFully(second.server())).isEqualTo("ok");
        }
    }
}
