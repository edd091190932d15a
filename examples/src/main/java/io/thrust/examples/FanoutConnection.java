package io.thrust.examples;

import io.thrust.net.TcpStream;
import io.thrust.sync.OneShot;
import io.thrust.task.Async;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/1.1 connection of the fan-out service, put together from operations and combinators: where an answer takes
 * milliseconds and several connections, what it allocates does not matter.
 *
 * <p>While an answer is under way the connection is read from as well, to learn that the client has gone: that cancels the
 * answer, and with it the calls. A client that ends its sending side counts as gone.
 */
final class FanoutConnection {
    private static final byte[] FANOUT = Characters.ascii("/fanout/");
    private static final int INPUT_BYTES = 4 * 1024;

    private final FanoutServer server;
    private final TcpStream stream;
    private final RequestParser parser = new RequestParser();
    private final RequestTarget target = new RequestTarget();

    /** What was read lies from {@link #parsed} to {@link #input}'s position. */
    private final byte[] bytes = new byte[INPUT_BYTES];

    private final ByteBuffer input = ByteBuffer.wrap(bytes);
    private int parsed;

    FanoutConnection(FanoutServer server, TcpStream stream) {
        this.server = server;
        this.stream = stream;
    }

    /** Serves until either side ends the connection, then closes it. A connection that breaks has ended. */
    Async<@Nullable Void> serve() {
        return Async.loop(this::step)
                .recover(IOException.class, gone -> Async.ready(null))
                .closing(stream);
    }

    /** Whether to go on. */
    private Async<Boolean> step() {
        int event = parser.parse(bytes, parsed, input.position());
        target.read(bytes, parsed, parser.position());
        parsed = parser.position();
        switch (event) {
            case RequestParser.MORE -> {
                target.keep();
                parsed = 0;
                return stream.read(input.clear()).map(read -> read != TcpStream.END_OF_STREAM);
            }
            case RequestParser.CONTINUE -> {
                return write(Answers.CONTINUE).map(none -> true);
            }
            case RequestParser.REFUSED -> {
                return write(Answers.kind(parser.status(), false, true)).then(none -> end());
            }
            default -> {
                Async<Boolean> answer = answer(parser.head());
                target.clear();
                return answer;
            }
        }
    }

    private Async<Boolean> answer(RequestHead head) {
        boolean found = target.startsWith(FANOUT) && target.pathEnd() > target.pathStart() + FANOUT.length;
        boolean keepAlive = head.isKeepAlive();
        if (!found && !head.isWithoutPath() || !head.isGet() && !head.isHead()) {
            int status = found || head.isWithoutPath() ? 405 : 404;
            return write(Answers.kind(status, head.isHead(), !keepAlive))
                    .then(none -> keepAlive ? Async.ready(true) : end());
        }
        // Who does not know chunks reads to the end.
        boolean chunked = head.isOfVersion11();
        boolean persists = keepAlive && chunked;
        Async<@Nullable Void> answer = write("HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\n"
                + (chunked ? "Transfer-Encoding: chunked\r\n" : "")
                + (persists ? "" : "Connection: close\r\n")
                + "\r\n");
        if (!head.isHead()) {
            String query = target.path(FANOUT.length);
            answer = answer.then(none -> server.fanout.ask(query, line -> write(chunked ? chunk(line) : line)))
                    .then(line -> write(chunked ? chunk(line) + chunk("") : line));
        }
        return Async.race(answer, untilClientLeaves()).then(none -> persists ? Async.ready(true) : end());
    }

    /** Fails when the client has gone. What it sends until then is kept, as long as there is room. */
    private Async<@Nullable Void> untilClientLeaves() {
        return Async.lazy(() -> {
            System.arraycopy(bytes, parsed, bytes, 0, input.position() - parsed);
            input.position(input.position() - parsed);
            parsed = 0;
            return Async.loop(() -> stream.read(input)
                            .then(read -> read == TcpStream.END_OF_STREAM
                                    ? Async.failed(new EOFException("the client has gone"))
                                    : Async.ready(input.hasRemaining())))
                    // No more is kept: that it has gone shows when it is written to.
                    .then(full -> FanoutConnection.never());
        });
    }

    private static Async<@Nullable Void> never() {
        Async<Boolean> nothing = new OneShot<Boolean>().receive();
        return nothing.<@Nullable Void>map(none -> null);
    }

    private Async<Boolean> end() {
        return new Linger(stream, ByteBuffer.allocate(INPUT_BYTES)).map(none -> false);
    }

    private Async<@Nullable Void> write(byte kind) {
        ByteBuffer answer = ByteBuffer.allocate(Answers.length(kind));
        Answers.put(kind, answer);
        return stream.writeAll(answer.flip());
    }

    private Async<@Nullable Void> write(String text) {
        return stream.writeAll(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** The text as a chunk (RFC 9112, 7.1); that of an empty one ends the body. */
    private static String chunk(String text) {
        return Integer.toHexString(text.getBytes(StandardCharsets.UTF_8).length) + "\r\n" + text + "\r\n";
    }
}
