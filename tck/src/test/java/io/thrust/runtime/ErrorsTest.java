package io.thrust.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.thrust.EventLoop;
import io.thrust.net.TcpListener;
import io.thrust.net.TcpStream;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.PollerProvider;
import io.thrust.task.Async;
import io.thrust.task.Task;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The same failure has the same type and wording on every backend. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ErrorsTest {
    @Test
    void everyFailureReadsTheSameOnAllBackends() throws Exception {
        List<PollerProvider> providers = LoopTest.providers().stream()
                .filter(provider -> provider.availability().isAvailable())
                .toList();
        assertThat(providers).isNotEmpty();
        Map<String, String> first = failures(providers.get(0));
        assertThat(first)
                .hasSize(14)
                .allSatisfy((name, error) -> assertThat(error).as(name).doesNotContain("null"));
        for (PollerProvider provider : providers) {
            assertThat(failures(provider)).as(provider.toString()).isEqualTo(first);
        }
    }

    private static Map<String, String> failures(PollerProvider provider) throws Exception {
        Map<String, String> failures = new LinkedHashMap<>();
        EventLoop loop = EventLoop.open(provider);
        TcpListener listener = TcpListener.bind(loop, LoopTest.loopback(0), ListenOptions.DEFAULT);
        record(
                failures,
                "bind to a used port",
                () -> TcpListener.bind(loop, listener.localAddress(), ListenOptions.DEFAULT));
        record(
                failures,
                "bind to another machine's address",
                () -> TcpListener.bind(loop, new InetSocketAddress("192.0.2.1", 0), ListenOptions.DEFAULT));
        record(
                failures,
                "bind to a name",
                () -> TcpListener.bind(
                        loop, InetSocketAddress.createUnresolved("nowhere.invalid", 1), ListenOptions.DEFAULT));
        record(
                failures,
                "connect to a name",
                () -> loop.blockOn(TcpStream.connect(InetSocketAddress.createUnresolved("nowhere.invalid", 1))));

        TcpStream[] ends = connect(loop, listener);
        TcpStream client = ends[0];
        TcpStream server = ends[1];
        ByteBuffer one = ByteBuffer.allocate(1);
        record(failures, "unknown option", () -> client.getOption(StandardSocketOptions.IP_MULTICAST_TTL));
        record(
                failures,
                "second reader",
                () -> loop.blockOn(Async.lazy(() -> {
                    loop.spawnBackground(client.read(one));
                    return new io.thrust.task.YieldOnce().then(none -> client.read(one));
                })));
        client.shutdownOutput();
        record(failures, "write after the end of output", () -> loop.blockOn(client.write(one.clear())));
        client.setOption(StandardSocketOptions.SO_LINGER, 0);
        server.setOption(StandardSocketOptions.SO_LINGER, 0);
        server.close();
        record(failures, "read after a reset", () -> loop.blockOn(client.read(one.clear())));
        client.close();
        record(failures, "read after close", () -> loop.blockOn(client.read(one.clear())));
        record(failures, "option after close", () -> client.getOption(StandardSocketOptions.TCP_NODELAY));
        record(failures, "end of output after close", client::shutdownOutput);

        Task<TcpStream> accept = loop.spawn(listener.accept());
        loop.turn(0);
        listener.close();
        record(failures, "accept when closed", () -> loop.blockOn(accept.join()));
        record(failures, "connect to a closed port", () -> loop.blockOn(TcpStream.connect(listener.localAddress())));
        loop.close();
        record(
                failures,
                "bind on a closed loop",
                () -> TcpListener.bind(loop, LoopTest.loopback(0), ListenOptions.DEFAULT));
        return failures;
    }

    private static TcpStream[] connect(EventLoop loop, TcpListener listener) throws IOException {
        return loop.blockOn(Async.lazy(() -> {
            Task<TcpStream> accepted = loop.spawn(listener.accept());
            return TcpStream.connect(listener.localAddress())
                    .then(client -> accepted.join().map(server -> new TcpStream[] {client, server}));
        }));
    }

    private static void record(Map<String, String> failures, String name, LoopTest.Action action) {
        Throwable thrown = catchThrowable(action::run);
        assertThat(thrown).as(name).isNotNull();
        String message = String.valueOf(thrown.getMessage())
                .replace("null", thrown.getMessage() == null ? "no message" : "null")
                .replaceAll("(127\\.0\\.0\\.1):\\d+", "$1:PORT");
        // Which options there are beyond the common ones is the system's business.
        message = message.replaceAll("; it has .*", "; it has ...");
        failures.put(name, thrown.getClass().getName() + ": " + message);
    }
}
