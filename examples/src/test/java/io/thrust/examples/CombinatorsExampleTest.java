package io.thrust.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thrust.EventLoop;
import io.thrust.net.TcpListener;
import io.thrust.task.Async;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CombinatorsExampleTest {
    private EventLoop loop;

    @BeforeEach
    void open() throws IOException {
        loop = EventLoop.open();
    }

    @AfterEach
    void close() {
        loop.close();
    }

    /** Runs this beside a server that says a text to whoever connects, one that accepts and says nothing, and none. */
    private <T> T beside(Question<T> question) throws IOException {
        return loop.blockOn(Async.lazy(() -> {
            TcpListener talking = TimersExampleTest.listen();
            loop.spawnBackground(Async.loop(() -> talking.accept()
                    .then(stream -> stream.writeAll(ByteBuffer.wrap("hello".getBytes(StandardCharsets.UTF_8)))
                            .map(none -> true)
                            .closing(stream))));
            TcpListener silent = TimersExampleTest.listen();
            TcpListener gone = TimersExampleTest.listen();
            try {
                gone.close();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            return question.ask(talking.localAddress(), silent.localAddress(), gone.localAddress());
        }));
    }

    private interface Question<T> {
        Async<T> ask(InetSocketAddress talking, InetSocketAddress silent, InetSocketAddress gone);
    }

    @Test
    void allAnswerOrAllFail() throws IOException {
        assertThat(this.<List<String>>beside(
                        (talking, silent, gone) -> CombinatorsExample.askAll(List.of(talking, talking, talking))))
                .containsExactly("hello", "hello", "hello");
        assertThat(this.<String>beside((talking, silent, gone) -> CombinatorsExample.askBoth(talking, talking)))
                .isEqualTo("hello and hello");
        // The silent one would never end.
        assertThatThrownBy(() ->
                        beside((talking, silent, gone) -> CombinatorsExample.askAll(List.of(talking, silent, gone))))
                .isInstanceOf(ConnectException.class);
    }

    @Test
    void theSecondIsAskedIfTheFirstIsSlow() throws IOException {
        assertThat(this.<String>beside(
                        (talking, silent, gone) -> CombinatorsExample.askHedged(silent, talking, Duration.ofMillis(5))))
                .isEqualTo("hello");
    }

    @Test
    void failuresHaveAnswersToo() throws IOException {
        int[] done = {0};
        assertThat(this.<String>beside((talking, silent, gone) -> CombinatorsExample.askKindly(gone, () -> done[0]++)))
                .isEqualTo("nobody is there");
        assertThat(this.<String>beside(
                        (talking, silent, gone) -> CombinatorsExample.askKindly(talking, () -> done[0]++)))
                .isEqualTo("hello");
        assertThat(done[0]).isEqualTo(2);
    }
}
