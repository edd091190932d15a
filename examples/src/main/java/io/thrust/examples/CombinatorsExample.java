package io.thrust.examples;

import io.thrust.Timers;
import io.thrust.net.TcpStream;
import io.thrust.task.Async;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How are several computations run at a time, and one after another? */
final class CombinatorsExample {
    private CombinatorsExample() {}

    /** What each server says, all asked at the same time. If one fails the others are cancelled, and all fails. */
    static Async<List<String>> askAll(List<InetSocketAddress> servers) {
        List<Async<String>> answers = new ArrayList<>();
        for (InetSocketAddress server : servers) {
            answers.add(ask(server));
        }
        return Async.joinAll(answers);
    }

    /** Both answers, as one text. */
    static Async<String> askBoth(InetSocketAddress left, InetSocketAddress right) {
        return Async.join(ask(left), ask(right), (first, second) -> first + " and " + second);
    }

    /**
     * The answer of the first server, or of the second one if that is sooner: it is asked only after a moment. Who loses is
     * cancelled, which closes its connection.
     */
    static Async<String> askHedged(InetSocketAddress first, InetSocketAddress second, Duration moment) {
        return Async.race(ask(first), Timers.sleep(moment).then(none -> ask(second)));
    }

    /** The answer of a server, or a text that says why there is none. */
    static Async<String> askKindly(InetSocketAddress server, Runnable whenDone) {
        return ask(server)
                .recover(ConnectException.class, e -> Async.ready("nobody is there"))
                .recover(e -> Async.ready("something else went wrong: " + e.getMessage()))
                .doFinally(whenDone);
    }

    /** Connects and reads what the server says until it closes. */
    private static Async<String> ask(InetSocketAddress server) {
        return TcpStream.connect(server).then(CombinatorsExample::readLine);
    }

    private static Async<String> readLine(TcpStream stream) {
        ByteBuffer buffer = ByteBuffer.allocate(64);
        return Async.loop(
                        () -> stream.read(buffer).map(read -> read != TcpStream.END_OF_STREAM && buffer.hasRemaining()))
                .map(none -> new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8))
                .closing(stream);
    }
}
