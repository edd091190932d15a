package io.thrust.examples;

import io.thrust.EventLoop;
import io.thrust.net.TcpStream;
import io.thrust.task.Async;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * What about calls that block, and libraries that speak in futures? A loop that blocks serves nobody: the calls go to an
 * executor of one's own, which on JDK 21 and newer may be {@code Executors.newVirtualThreadPerTaskExecutor()}.
 */
final class BlockingWorkExample {
    private BlockingWorkExample() {}

    // [offload]
    /** Resolves a name, which blocks, then connects. */
    static Async<TcpStream> connect(Executor blocking, String host, int port) {
        return Async.<InetAddress>offload(blocking, () -> InetAddress.getByName(host))
                .then(address -> TcpStream.connect(new InetSocketAddress(address, port)));
    }
    // [/offload]

    /** Reads a file. */
    static Async<String> read(Executor blocking, Path file) {
        return Async.offload(blocking, () -> Files.readString(file));
    }

    /** Joins a future of another library's to an operation of the loop's. Cancelling one cancels the other. */
    static Async<String> fromLibrary(CompletionStage<String> stage) {
        return Async.<String>from(stage).map(String::strip);
    }

    /** The way back: what other threads do with a computation. It has begun when this returns. */
    static CompletableFuture<String> forOtherThreads(EventLoop loop, Async<String> async) {
        return async.toCompletableFuture(loop.executor());
    }
}
