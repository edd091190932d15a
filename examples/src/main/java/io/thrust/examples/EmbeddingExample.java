package io.thrust.examples;

import io.thrust.EventLoop;
import io.thrust.net.TcpListener;
import io.thrust.net.TcpStream;
import io.thrust.task.Async;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** How a program embeds an event loop. The README quotes the parts between the markers. */
final class EmbeddingExample {
    private EmbeddingExample() {}

    // [loop]
    /** An echo server on a loop of its own; another thread sends a text through it and waits for the echo. */
    static String echoOnce(String text) throws IOException, InterruptedException {
        try (EventLoop loop = EventLoop.open()) {
            CompletableFuture<InetSocketAddress> address = loop.submit(() -> Async.ready(startEchoServer(loop)));
            Thread thread = new Thread(loop::run, "loop");
            // `submit` may be called from any thread, before the loop runs and while it does.
            CompletableFuture<String> echo = address.thenCompose(server -> loop.submit(() -> exchange(server, text)));
            thread.start();
            String answer = echo.join();
            thread.join(); // `run` returns when no task is left but background ones
            return answer;
        }
    }
    // [/loop]

    // [server]
    /** Accepts in the background for as long as the loop runs. */
    static InetSocketAddress startEchoServer(EventLoop loop) {
        try {
            TcpListener listener = TcpListener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            loop.spawnBackground(Async.loop(() -> listener.accept().map(stream -> {
                        loop.spawnBackground(echo(stream)).detach();
                        return true; // go on
                    })))
                    .detach();
            return listener.localAddress();
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    /** Sends back what comes, until the peer ends its side; the stream is closed then, as it is if anything fails. */
    private static Async<?> echo(TcpStream stream) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(16 * 1024);
        return Async.loop(() -> stream.read(buffer.clear()).then(read -> {
                    if (read == TcpStream.END_OF_STREAM) {
                        return Async.ready(false);
                    }
                    return stream.writeAll(buffer.flip()).map(written -> true);
                }))
                .closing(stream);
    }
    // [/server]

    // [client]
    /** Sends a short text and reads as many bytes. A long one would be read while it is written. */
    private static Async<String> exchange(InetSocketAddress server, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        ByteBuffer output = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
        ByteBuffer input = ByteBuffer.allocateDirect(bytes.length);
        return TcpStream.connect(server)
                .then(stream -> stream.writeAll(output)
                        .then(written -> Async.loop(() -> stream.read(input)
                                .map(read -> read != TcpStream.END_OF_STREAM && input.hasRemaining())))
                        .map(end -> StandardCharsets.UTF_8.decode(input.flip()).toString())
                        .closing(stream));
    }
    // [/client]
}
