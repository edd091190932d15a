package io.thrust.examples;

import io.thrust.EventLoop;
import io.thrust.Timers;
import io.thrust.net.TcpListener;
import io.thrust.net.TcpStream;
import io.thrust.poll.ListenOptions;
import io.thrust.task.Async;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Servers to fan out to, on the loop of whoever asks them: each answers after a time of its own, or never. */
final class DemoDownstream {
    private DemoDownstream() {}

    /**
     * Starts one in the background of the loop, on a free port.
     *
     * @param latency null: it never answers
     */
    static Downstream start(EventLoop loop, @Nullable Duration latency) throws IOException {
        InetAddress host = InetAddress.getLoopbackAddress();
        TcpListener listener = TcpListener.bind(loop, new InetSocketAddress(host, 0), ListenOptions.DEFAULT);
        loop.spawnBackground(listener.serve(stream -> serve(stream, latency))).detach();
        return new Downstream(
                latency == null ? "demo-never" : "demo-" + latency.toMillis() + "ms",
                host.getHostAddress(),
                listener.localAddress().getPort());
    }

    private static Async<@Nullable Void> serve(TcpStream stream, @Nullable Duration latency) {
        return Downstream.readLine(stream)
                .<@Nullable Void>then(query -> latency == null ? untilEnd(stream) : answer(stream, query, latency))
                .recover(IOException.class, gone -> Async.<@Nullable Void>ready(null))
                .closing(stream);
    }

    private static Async<@Nullable Void> answer(TcpStream stream, String query, Duration latency) {
        byte[] line = ("what is known of " + query + "\n").getBytes(StandardCharsets.UTF_8);
        return Timers.sleep(latency).then(none -> stream.writeAll(ByteBuffer.wrap(line)));
    }

    private static Async<@Nullable Void> untilEnd(TcpStream stream) {
        ByteBuffer dropped = ByteBuffer.allocate(64);
        return Async.loop(() -> stream.read(dropped.clear()).map(read -> read != TcpStream.END_OF_STREAM));
    }
}
