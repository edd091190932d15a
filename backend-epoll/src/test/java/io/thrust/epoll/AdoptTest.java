package io.thrust.epoll;

import static io.thrust.epoll.Fixture.PATIENCE;
import static io.thrust.epoll.Fixture.PROVIDER;
import static io.thrust.epoll.Fixture.SILENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.unix.FileDescriptor;
import io.thrust.poll.AlreadyRegisteredException;
import io.thrust.poll.Interest;
import io.thrust.poll.Mode;
import io.thrust.poll.PipePair;
import io.thrust.poll.Poller;
import io.thrust.poll.Source;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
@Timeout(60)
class AdoptTest {
    private FileDescriptor[] pipe;
    private Poller poller;

    @BeforeEach
    void open() throws IOException {
        poller = PROVIDER.openPoller(4);
        pipe = FileDescriptor.pipe();
    }

    @AfterEach
    void close() throws IOException {
        poller.close();
        pipe[0].close();
        pipe[1].close();
    }

    private void writeByte() throws IOException {
        pipe[1].write(ByteBuffer.allocateDirect(1), 0, 1);
    }

    @Test
    void aBorrowedDescriptorIsWatchedAndStaysOpenWhenItsSourceIsClosed() throws IOException {
        Source source = PROVIDER.adopt(pipe[0].intValue(), Interest.READ);
        poller.register(source, 7, Interest.READ, Mode.LEVEL);
        assertThat(poller.poll(SILENCE)).isZero();
        writeByte();
        assertThat(poller.poll(PATIENCE)).isEqualTo(1);
        assertThat(poller.events().key(0)).isEqualTo(7);
        assertThat(source).hasToString("adopted fd " + pipe[0].intValue());

        source.close();
        assertThat(source.isOpen()).isFalse();
        assertThat(poller.poll(SILENCE)).isZero();
        assertThat(pipe[0].read(ByteBuffer.allocateDirect(8), 0, 8)).isEqualTo(1);

        Source again = PROVIDER.adopt(pipe[0].intValue(), Interest.READ);
        poller.register(again, 8, Interest.READ, Mode.EDGE);
        writeByte();
        assertThat(poller.poll(PATIENCE)).isEqualTo(1);
        assertThat(poller.events().key(0)).isEqualTo(8);
    }

    @Test
    void closingThePollerLeavesABorrowedDescriptorOpen() throws IOException {
        poller.register(PROVIDER.adopt(pipe[0].intValue()), 1, Interest.READ, Mode.LEVEL);
        poller.close();
        writeByte();
        assertThat(pipe[0].read(ByteBuffer.allocateDirect(8), 0, 8)).isEqualTo(1);
    }

    @Test
    void aSecondSourceOverTheSameDescriptorIsRefused() throws IOException {
        poller.register(PROVIDER.adopt(pipe[0].intValue()), 1, Interest.READ, Mode.LEVEL);
        Source second = PROVIDER.adopt(pipe[0].intValue());
        assertThatThrownBy(() -> poller.register(second, 2, Interest.READ, Mode.LEVEL))
                .isInstanceOf(AlreadyRegisteredException.class);
        writeByte();
        assertThat(poller.poll(PATIENCE)).isEqualTo(1);
        assertThat(poller.events().key(0)).isEqualTo(1);
    }

    @Test
    void aRegularFileIsRefusedAndThePollerWorksOn(@TempDir Path directory) throws IOException {
        FileDescriptor file =
                FileDescriptor.from(Files.createFile(directory.resolve("file")).toFile());
        try {
            Source source = PROVIDER.adopt(file.intValue());
            assertThatThrownBy(() -> poller.register(source, 1, Interest.READ, Mode.LEVEL))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("adopted fd " + file.intValue())
                    .hasMessageContaining("epoll cannot watch");
            source.close();
        } finally {
            file.close();
        }
        poller.register(PROVIDER.adopt(pipe[0].intValue()), 2, Interest.READ, Mode.LEVEL);
        writeByte();
        assertThat(poller.poll(PATIENCE)).isEqualTo(1);
    }

    @Test
    void aDescriptorClosedBehindItsSourceIsReportedAndThePollerWorksOn() throws IOException {
        Source gone = PROVIDER.adopt(pipe[0].intValue());
        poller.register(gone, 1, Interest.READ, Mode.EDGE);
        pipe[0].close();
        assertThatThrownBy(() -> poller.modify(gone, 1, Interest.READ, Mode.EDGE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("was closed without closing the source");
        gone.close();
        Source never = PROVIDER.adopt(pipe[0].intValue());
        assertThatThrownBy(() -> poller.register(never, 1, Interest.READ, Mode.EDGE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(never.toString());

        PipePair other = PROVIDER.pipe();
        poller.register(other.reader(), 3, Interest.READ, Mode.EDGE);
        Fixture.write(other.writer(), "x");
        assertThat(poller.poll(PATIENCE)).isEqualTo(1);
        assertThat(poller.events().key(0)).isEqualTo(3);
        other.reader().close();
        other.writer().close();
    }

    @Test
    void directionsAreChecked() {
        assertThatThrownBy(() -> PROVIDER.adopt(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PROVIDER.adopt(0, Interest.NONE)).isInstanceOf(IllegalArgumentException.class);
        Source reader = PROVIDER.adopt(pipe[0].intValue(), Interest.READ);
        assertThatThrownBy(() -> poller.register(reader, 1, Interest.WRITE, Mode.LEVEL))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
