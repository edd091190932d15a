package io.thrust.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thrust.EventLoop;
import io.thrust.Timers;
import io.thrust.net.TcpListener;
import io.thrust.net.TcpStream;
import io.thrust.task.Async;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class BlockingWorkExampleTest {
    private final ExecutorService blocking = Executors.newCachedThreadPool();
    private EventLoop loop;

    @TempDir
    Path directory;

    @BeforeEach
    void open() throws IOException {
        loop = EventLoop.open();
    }

    @AfterEach
    void close() {
        loop.close();
        blocking.shutdownNow();
    }

    @Test
    void namesAreResolvedAndConnectedTo() throws IOException {
        TcpStream stream = loop.blockOn(Async.lazy(() -> {
            TcpListener listener = TimersExampleTest.listen();
            return BlockingWorkExample.connect(
                    blocking,
                    listener.localAddress().getAddress().getHostAddress(),
                    listener.localAddress().getPort());
        }));
        assertThat(stream.isOpen()).isTrue();
    }

    @Test
    void filesAreRead() throws IOException {
        Path file = Files.writeString(directory.resolve("text"), "a text");
        assertThat(loop.<String>blockOn(BlockingWorkExample.read(blocking, file)))
                .isEqualTo("a text");
        assertThatThrownBy(() -> loop.blockOn(BlockingWorkExample.read(blocking, directory.resolve("missing"))))
                .isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void futuresOfOthersAreWaitedForAndTakenTheirCancellation() throws IOException {
        CompletableFuture<String> answer = CompletableFuture.supplyAsync(() -> "  text ", blocking);
        assertThat(loop.<String>blockOn(BlockingWorkExample.fromLibrary(answer)))
                .isEqualTo("text");

        CompletableFuture<String> endless = new CompletableFuture<>();
        assertThatThrownBy(() -> loop.blockOn(
                        BlockingWorkExample.fromLibrary(endless).transform(Timers.timeout(Duration.ofMillis(5)))))
                .isInstanceOf(io.thrust.AsyncTimeoutException.class);
        assertThat(endless).isCancelled();
    }

    @Test
    void otherThreadsGetAFuture() {
        CompletableFuture<String> future = BlockingWorkExample.forOtherThreads(
                loop, Timers.sleep(Duration.ofMillis(1)).map(none -> "slept"));
        loop.run();
        assertThat(future).isCompletedWithValue("slept");
    }
}
