package io.thrust.examples;

import io.thrust.Timers;
import io.thrust.net.TcpStream;
import io.thrust.task.Async;
import io.thrust.task.Waker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/1.1 connection: reads, answers all requests that were read by one write, and reads again only when the
 * answers are written. So a client that does not read is not read from, and costs a byte for each of the answers to one
 * read.
 */
final class HttpConnection extends Connection {
    /** How long, and how much, is read after a last answer that the client might lose to a reset otherwise. */
    private static final Duration LINGER = Duration.ofSeconds(2);

    private static final long MOST_LINGER_BYTES = 16 * 1024 * 1024;

    private final HttpServer server;
    private final RequestParser parser = new RequestParser();

    /** The answers that the client has not taken yet: from {@link #next} on, less {@link #skip} bytes of the first. */
    private byte @Nullable [] pending;

    private int next;
    private int skip;

    /** The last answer was given. */
    private boolean last;

    /** The client may still be sending after the last answer. */
    private boolean lingers;

    private @Nullable Async<@Nullable Void> lingerTime;
    private long lingerBytes;

    HttpConnection(HttpServer server, TcpStream stream) {
        super(stream);
        this.server = server;
    }

    @Override
    boolean serve(Waker waker) throws IOException {
        byte[] pending = this.pending;
        if (pending != null && write(pending, next, pending.length, waker) == PENDING) {
            return PENDING;
        }
        while (!last) {
            ByteBuffer input = server.input.clear();
            int read = stream.pollRead(input, waker);
            if (read == TcpStream.PENDING) {
                return PENDING;
            }
            if (read == TcpStream.END_OF_STREAM) {
                return READY;
            }
            input.flip().get(server.bytes, 0, read);
            int count = answer(read);
            if (write(server.kinds, 0, count, waker) == PENDING) {
                return PENDING;
            }
        }
        return lingers ? linger(waker) : READY;
    }

    /** Parses what was read; returns the number of answers. */
    private int answer(int read) {
        RequestParser parser = this.parser;
        byte[] bytes = server.bytes;
        byte[] kinds = server.kinds;
        int count = 0;
        int position = 0;
        int event;
        while (!last && (event = parser.parse(bytes, position, read)) != RequestParser.MORE) {
            position = parser.position();
            byte kind = event == RequestParser.CONTINUE ? Answers.CONTINUE : kind(event);
            kinds[count++] = kind;
            if (Answers.isLast(kind)) {
                last = true;
                // One that asked for the end and has sent nothing after it is done.
                lingers = event == RequestParser.REFUSED || position < read || read == bytes.length;
            }
        }
        return count;
    }

    private byte kind(int event) {
        RequestParser parser = this.parser;
        if (event == RequestParser.REFUSED) {
            return Answers.kind(parser.status(), false, true);
        }
        RequestHead head = parser.head();
        boolean keepAlive = head.isKeepAlive();
        if (head.isRoot() && head.isGet() && keepAlive) {
            return Answers.HELLO;
        }
        boolean bodiless = head.isHead();
        int status = !head.isRoot() && !head.isWithoutPath() ? 404 : bodiless || head.isGet() ? 200 : 405;
        return Answers.kind(status, bodiless, !keepAlive);
    }

    /** Writes these answers, less {@link #skip} bytes; keeps what the client does not take yet. */
    private boolean write(byte[] kinds, int from, int to, Waker waker) throws IOException {
        while (from < to) {
            ByteBuffer bytes = server.answers.bytes(kinds, from, to, skip);
            int written = stream.pollWrite(bytes, waker);
            if (written == TcpStream.PENDING) {
                keep(kinds, from, to);
                return PENDING;
            }
            skip += written;
            while (from < to && skip >= Answers.length(kinds[from])) {
                skip -= Answers.length(kinds[from++]);
            }
        }
        pending = null;
        return READY;
    }

    private void keep(byte[] kinds, int from, int to) {
        if (kinds == pending) {
            next = from;
        } else {
            pending = Arrays.copyOfRange(kinds, from, to);
            next = 0;
        }
    }

    /**
     * Ends the outgoing direction, and reads until the client has ended its own: bytes that come after a close would
     * make the system reset the connection, and the answer might be lost (RFC 9112, 9.6).
     */
    private boolean linger(Waker waker) throws IOException {
        Async<@Nullable Void> time = lingerTime;
        if (time == null) {
            stream.shutdownOutput();
            time = Timers.sleep(LINGER);
            lingerTime = time;
        }
        if (pollTime(time, waker) == READY) {
            lingerTime = null;
            return READY;
        }
        while (lingerBytes < MOST_LINGER_BYTES) {
            int read = stream.pollRead(server.input.clear(), waker);
            if (read == TcpStream.PENDING) {
                return PENDING;
            }
            if (read == TcpStream.END_OF_STREAM) {
                return READY;
            }
            lingerBytes += read;
        }
        return READY;
    }

    private static boolean pollTime(Async<@Nullable Void> time, Waker waker) {
        try {
            return time.poll(waker);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("a timer failed", e);
        }
    }

    @Override
    void release() {
        pending = null;
        if (lingerTime != null) {
            lingerTime.cancel();
            lingerTime = null;
        }
    }
}
