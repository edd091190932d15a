package io.thrust.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thrust.EventLoop;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.TooManyOpenFilesException;
import io.thrust.poll.spi.FakePoller;
import io.thrust.poll.spi.FakeProvider;
import io.thrust.poll.spi.FakeSource;
import io.thrust.task.Async;
import io.thrust.task.Logged;
import io.thrust.task.Task;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server survives what goes wrong with accepting and with single connections, and keeps to its limit. */
@Timeout(60)
class ServeTest {
    private final FakeProvider provider = new FakeProvider();
    private final FakePoller poller;
    private final EventLoop loop;
    private final TcpListener listener;
    private final List<TcpStream> streams = new ArrayList<>();
    private final List<Exception> failures = new ArrayList<>();
    private FakeSource source;
    private long now;

    ServeTest() throws IOException {
        loop = EventLoop.builder().provider(provider).clock(() -> now).open();
        poller = provider.poller;
        listener = listen();
    }

    private TcpListener listen() throws IOException {
        source = new FakeSource(provider, "listener");
        provider.next = source;
        return TcpListener.bind(loop, new InetSocketAddress("127.0.0.1", 1), ListenOptions.DEFAULT);
    }

    @AfterEach
    void close() {
        loop.close();
        assertThat(loop.reactor().registrationCount()).isZero();
    }

    /** Serves a stream until it is closed. */
    private Async<?> handle(TcpStream stream) {
        streams.add(stream);
        return stream.read(ByteBuffer.allocate(1)).closing(stream);
    }

    private Task<Void> serve(ServeOptions options) {
        return loop.spawn(listener.serve(this::handle, options.withOnFailure(failures::add)));
    }

    private void arrive(int connections) {
        for (int i = 0; i < connections; i++) {
            source.waiting.add(new FakeSource(provider, "connection"));
        }
        poller.ready(source, true, false, false);
        turns(3);
    }

    private void turns(int count) {
        for (int i = 0; i < count; i++) {
            loop.turn(0);
        }
    }

    private void advance(Duration time) {
        now += time.toNanos();
        turns(3);
    }

    @Test
    void withoutDescriptorsItSaysSoPausesEverLongerAndRecovers() {
        Task<Void> server = serve(ServeOptions.DEFAULT.withPauses(Duration.ofMillis(10), Duration.ofMillis(40)));
        source.onAccept = () -> {
            throw new TooManyOpenFilesException("no descriptor is left");
        };
        arrive(1);
        assertThat(failures).singleElement().isInstanceOf(TooManyOpenFilesException.class);
        assertThat(source.reads).isEqualTo(1);

        for (int pause : new int[] {10, 20, 40, 40}) {
            int before = source.reads;
            advance(Duration.ofMillis(pause - 1));
            assertThat(source.reads).isEqualTo(before);
            advance(Duration.ofMillis(1));
            assertThat(source.reads).isEqualTo(before + 1);
        }
        assertThat(failures).as("at most one a second").hasSize(1);
        advance(Duration.ofSeconds(1));
        assertThat(failures).hasSize(2);

        source.onAccept = () -> null;
        advance(Duration.ofMillis(40));

        assertThat(streams).hasSize(1);
        assertThat(server.isDone()).isFalse();
    }

    @Test
    void aConnectionThatIsAbortedCostsNoOther() {
        serve(ServeOptions.DEFAULT);
        source.onAccept = () -> {
            source.onAccept = () -> null;
            throw new IOException("connection aborted");
        };

        arrive(2);
        advance(Duration.ofMillis(10));

        assertThat(streams).hasSize(2);
        assertThat(failures).singleElement().asString().contains("aborted");
    }

    @Test
    void aHandlerThatThrowsCostsItsOwnConnectionOnly() {
        RuntimeException failure = new RuntimeException("handler");
        boolean[] thrown = {false};
        List<TcpStream> seen = new ArrayList<>();
        loop.spawn(listener.serve(
                stream -> {
                    seen.add(stream);
                    if (!thrown[0]) {
                        thrown[0] = true;
                        throw failure;
                    }
                    return handle(stream);
                },
                ServeOptions.DEFAULT.withOnFailure(failures::add)));

        arrive(2);

        assertThat(failures).singleElement().isSameAs(failure);
        assertThat(seen.get(0).isOpen()).isFalse();
        assertThat(streams).hasSize(1);
    }

    @Test
    void aHandlerThatThrowsAnErrorCostsItsOwnConnectionOnly() {
        StackOverflowError error = new StackOverflowError();
        Task<Void> server = loop.spawn(listener.serve(
                stream -> {
                    streams.add(stream);
                    throw error;
                },
                ServeOptions.DEFAULT.withOnFailure(failures::add)));

        arrive(2);

        assertThat(server.isDone()).isFalse();
        assertThat(streams).hasSize(2).allMatch(stream -> !stream.isOpen());
        assertThat(failures)
                .singleElement()
                .satisfies(failure -> assertThat(failure.getCause()).isSameAs(error));
    }

    @Test
    void aStreamThatCannotBeClosedAfterItsHandlerThrewCostsNoOther() {
        Task<Void> server = loop.spawn(listener.serve(
                stream -> {
                    ((FakeSource) stream.source()).onRelease = () -> {
                        throw new IllegalStateException("release");
                    };
                    streams.add(stream);
                    throw new IllegalArgumentException("handler");
                },
                ServeOptions.DEFAULT.withOnFailure(failures::add)));

        try (Logged logged = new Logged("io.thrust.net")) {
            arrive(2);

            assertThat(logged.thrown()).hasSize(2).allMatch(IllegalStateException.class::isInstance);
        }
        assertThat(server.isDone()).isFalse();
        assertThat(streams).hasSize(2);
        assertThat(failures).singleElement().isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void closingTheLoopInAHandlerEndsItInPeace() {
        try (Logged logged = new Logged("io.thrust.task")) {
            loop.spawn(listener.serve(
                    stream -> {
                        streams.add(stream);
                        loop.close();
                        return stream.read(ByteBuffer.allocate(1)).closing(stream);
                    },
                    ServeOptions.DEFAULT.withOnFailure(failures::add)));
            source.waiting.add(new FakeSource(provider, "connection"));
            source.waiting.add(new FakeSource(provider, "connection"));
            poller.ready(source, true, false, false);
            while (!loop.isClosed()) {
                loop.turn(0);
            }

            assertThat(logged.thrown()).isEmpty();
        }
        assertThat(failures).isEmpty();
        assertThat(listener.isOpen()).isFalse();
        assertThat(streams).singleElement().matches(stream -> !stream.isOpen());
    }

    @Test
    void closingTheListenerInAHandlerEndsItAndLeavesTheConnection() throws Exception {
        Task<Void> server = loop.spawn(listener.serve(stream -> {
            try {
                listener.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return handle(stream);
        }));

        arrive(2);

        assertThat(server.result()).isNull();
        assertThat(streams).singleElement().matches(TcpStream::isOpen);
    }

    @Test
    void aResultOfAConnectionIsClosedWithALimitAndWithout() throws IOException {
        for (int most : new int[] {Integer.MAX_VALUE, 10}) {
            boolean[] closed = {false};
            AutoCloseable result = () -> closed[0] = true;
            TcpListener other = listen();
            loop.spawn(other.serve(
                    stream -> Async.ready(result).closing(stream), ServeOptions.DEFAULT.withMaxConnections(most)));
            arrive(1);

            assertThat(closed[0]).as("closed, at most %d", most).isTrue();
            other.close();
            turns(1);
        }
    }

    @Test
    void aSecondServerOfAListenerIsRefusedAndHarmsNotTheFirst() throws Exception {
        Task<Void> first = serve(ServeOptions.DEFAULT.withMaxConnections(1));
        arrive(2);
        Task<Void> second = serve(ServeOptions.DEFAULT);
        turns(1);

        assertThatThrownBy(second::result)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("served already");
        assertThat(streams).hasSize(1);

        listener.close();
        turns(1);
        assertThat(first.result()).isNull();
    }

    @Test
    void theLongestPausesThatThereAreDoNotOverflow() {
        Duration longest = Duration.ofSeconds(Long.MAX_VALUE);
        Task<Void> server = serve(ServeOptions.DEFAULT.withPauses(longest, longest));
        source.onAccept = () -> {
            throw new TooManyOpenFilesException("no descriptor is left");
        };

        arrive(1);

        assertThat(server.isDone()).isFalse();
        assertThat(failures).hasSize(1);
    }

    @Test
    void beyondTheLimitConnectionsWaitUntilAnotherEnds() throws IOException {
        serve(ServeOptions.DEFAULT.withMaxConnections(2));

        arrive(5);
        assertThat(streams).hasSize(2);
        assertThat(source.waiting).hasSize(3);

        streams.get(0).close();
        turns(3);
        assertThat(streams).hasSize(3);

        streams.get(1).close();
        streams.get(2).close();
        turns(3);
        assertThat(streams).hasSize(5);
        assertThat(source.waiting).isEmpty();
    }

    @Test
    void closingTheListenerEndsItAlsoAtItsLimit() throws Exception {
        Task<Void> full = serve(ServeOptions.DEFAULT.withMaxConnections(1));
        arrive(2);

        listener.close();
        turns(1);

        assertThat(full.isDone()).isTrue();
        assertThat(full.result()).isNull();
        assertThat(streams.get(0).isOpen()).isTrue();
    }

    @Test
    void closingTheListenerInAPauseEndsIt() throws Exception {
        Task<Void> server = serve(ServeOptions.DEFAULT);
        source.onAccept = () -> {
            throw new TooManyOpenFilesException("no descriptor is left");
        };
        arrive(1);

        listener.close();
        turns(1);

        assertThat(server.isDone()).isTrue();
        assertThat(loop.reactor().timers().size()).isZero();
    }

    @Test
    void cancellingItClosesTheListenerAndLeavesTheConnections() {
        Task<Void> server = serve(ServeOptions.DEFAULT.withMaxConnections(2));
        arrive(1);

        server.cancel();

        assertThat(listener.isOpen()).isFalse();
        assertThat(streams.get(0).isOpen()).isTrue();
    }

    @Test
    void wrongOptionsAreRefused() {
        assertThatThrownBy(() -> ServeOptions.DEFAULT.withMaxConnections(0))
                .hasMessageContaining("maxConnections is 0");
        assertThatThrownBy(() -> ServeOptions.DEFAULT.withPauses(Duration.ZERO, Duration.ofSeconds(1)))
                .hasMessageContaining("firstPause");
        assertThatThrownBy(() -> ServeOptions.DEFAULT.withPauses(Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .hasMessageContaining("longestPause");
    }
}
