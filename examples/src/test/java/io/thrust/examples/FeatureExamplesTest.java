package io.thrust.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thrust.EventLoop;
import io.thrust.Timers;
import io.thrust.task.Async;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The small examples do what they say. */
@Timeout(60)
class FeatureExamplesTest {
    @Test
    void tasksAreDescribedByTheirNames() throws IOException {
        assertThat(TasksExample.describe()).hasSize(2);
        assertThat(TasksExample.describe().get(0)).startsWith("\"clock\", normal, counted, waiting");
        assertThat(TasksExample.describe().get(1)).startsWith("\"cleaner\", low, background, waiting");
    }

    @Test
    void aScopeAddsUpAndFailsAsAWhole() throws IOException {
        try (EventLoop loop = EventLoop.open()) {
            assertThat(loop.<Integer>blockOn(TasksExample.sum(
                            loop, Timers.sleep(Duration.ofMillis(1)).map(none -> 40), Async.ready(2))))
                    .isEqualTo(42);
            Async<Integer> never = Timers.sleep(Duration.ofHours(1)).map(none -> 1);
            assertThatThrownBy(() ->
                            loop.blockOn(TasksExample.sum(loop, never, Async.failed(new IOException("no answer")))))
                    .hasMessage("no answer");
            assertThat(loop.reactor().timers().size()).isZero();
        }
    }

    @Test
    void primitivesHandThingsOn() throws IOException {
        assertThat(PrimitivesExample.sumBelow(100)).isEqualTo(4950);
        assertThat(PrimitivesExample.collect(8)).hasSize(8).doesNotHaveDuplicates();
        assertThat(PrimitivesExample.mostAtATime(10)).isEqualTo(2);
        assertThat(PrimitivesExample.ask("Does it work?")).isEqualTo("Does it work? Yes.");
        assertThat(PrimitivesExample.countTo(10)).isEqualTo(10);
    }

    @Test
    void severalLoopsServeOnePort() throws IOException {
        assumeTrue(System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("linux"), "needs Linux");
        try (EventLoop first = EventLoop.open();
                EventLoop second = EventLoop.open()) {
            InetSocketAddress address = LoopsExample.serve(
                    List.of(first, second),
                    () -> stream -> stream.writeAll(ByteBuffer.wrap(
                                    Characters.ascii(Thread.currentThread().getName())))
                            .closing(stream));
            Set<String> threads = new HashSet<>();
            for (int i = 0; i < 64; i++) {
                try (TestClient client = new TestClient(address)) {
                    threads.add(client.readToEnd());
                }
            }
            assertThat(threads).containsExactlyInAnyOrder("loop-0", "loop-1");
        }
    }
}
