package io.thrust.examples;

import io.thrust.net.TcpStream;
import io.thrust.task.Waker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/1.1 connection: reads, answers all requests that were read by one write, and reads again only when the
 * answers are written. So a client that does not read is not read from, and costs a byte for each of the answers to one
 * read.
 */
final class HttpConnection extends Connection {
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

    private @Nullable Linger linger;

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

    private boolean linger(Waker waker) throws IOException {
        Linger linger = this.linger;
        if (linger == null) {
            linger = new Linger(stream, server.input);
            this.linger = linger;
        }
        return linger.poll(waker);
    }

    @Override
    void release() {
        pending = null;
        if (linger != null) {
            linger.cancel();
            linger = null;
        }
    }
}
