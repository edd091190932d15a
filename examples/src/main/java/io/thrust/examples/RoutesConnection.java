package io.thrust.examples;

import io.thrust.net.TcpStream;
import io.thrust.task.Waker;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/1.1 connection of the routing-table service: answers all requests that were read by one write, and reads again
 * only when the answers are written.
 */
final class RoutesConnection extends Connection {
    private static final byte[] ROUTE = Characters.ascii("/route/");
    private static final byte[] TABLE = Characters.ascii("/table");

    private final RoutesServer server;
    private final RequestParser parser = new RequestParser();
    private final RequestTarget target = new RequestTarget();

    /** Answers that the client has not taken yet. */
    private @Nullable ByteBuffer pending;

    /** The last answer was given. */
    private boolean last;

    /** The client may still be sending after the last answer. */
    private boolean lingers;

    private @Nullable Linger linger;

    RoutesConnection(RoutesServer server, TcpStream stream) {
        super(stream);
        this.server = server;
    }

    @Override
    boolean serve(Waker waker) throws IOException {
        ByteBuffer pending = this.pending;
        if (pending != null) {
            ByteBuffer output = server.output.clear().put(pending.duplicate()).flip();
            boolean written = write(output, waker);
            pending.position(pending.limit() - output.remaining());
            if (written == PENDING) {
                return PENDING;
            }
            this.pending = null;
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
            ByteBuffer output = server.output.clear();
            answer(read, output);
            if (write(output.flip(), waker) == PENDING) {
                this.pending =
                        ByteBuffer.allocate(output.remaining()).put(output).flip();
                return PENDING;
            }
        }
        return lingers ? linger(waker) : READY;
    }

    private boolean write(ByteBuffer output, Waker waker) throws IOException {
        while (output.hasRemaining()) {
            if (stream.pollWrite(output, waker) == TcpStream.PENDING) {
                return PENDING;
            }
        }
        return READY;
    }

    /** Parses what was read, and appends the answers. */
    private void answer(int read, ByteBuffer output) {
        byte[] bytes = server.bytes;
        int position = 0;
        while (!last) {
            int event = parser.parse(bytes, position, read);
            target.read(bytes, position, parser.position());
            position = parser.position();
            switch (event) {
                case RequestParser.MORE -> {
                    target.keep();
                    return;
                }
                case RequestParser.CONTINUE -> Answers.put(Answers.CONTINUE, output);
                case RequestParser.REFUSED -> {
                    Answers.put(Answers.kind(parser.status(), false, true), output);
                    last = true;
                    lingers = true;
                }
                default -> {
                    RequestHead head = parser.head();
                    answer(head, output);
                    target.clear();
                    last = !head.isKeepAlive();
                    // One that asked for the end and has sent nothing after it is done.
                    lingers = last && (position < read || read == bytes.length);
                }
            }
        }
    }

    private void answer(RequestHead head, ByteBuffer output) {
        if (head.isWithoutPath()) {
            fail(405, head, output);
        } else if (target.startsWith(ROUTE)) {
            if (!head.isGet() && !head.isHead()) {
                fail(405, head, output);
                return;
            }
            int start = target.pathStart() + ROUTE.length;
            long address = Prefix.parseAddress(target.bytes(), start, target.pathEnd());
            Route route = address == Prefix.NO_ADDRESS ? null : server.table.lookup((int) address);
            if (route == null) {
                fail(address == Prefix.NO_ADDRESS ? 400 : 404, head, output);
            } else if (head.isGet() && head.isKeepAlive()) {
                route.putAnswer(output);
            } else {
                answer(route.toString(), head, output);
            }
        } else if (target.startsWith(TABLE) && target.pathEnd() == target.pathStart() + TABLE.length) {
            if (head.isGet() || head.isHead()) {
                answer(server.table.size() + " routes, " + server.updates.count() + " updates\n", head, output);
            } else {
                fail(405, head, output);
            }
        } else {
            fail(404, head, output);
        }
    }

    private static void answer(String body, RequestHead head, ByteBuffer output) {
        output.put(Characters.ascii(Answers.format(200, body, head.isHead(), !head.isKeepAlive())));
    }

    private static void fail(int status, RequestHead head, ByteBuffer output) {
        Answers.put(Answers.kind(status, head.isHead(), !head.isKeepAlive()), output);
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
        target.clear();
        if (linger != null) {
            linger.cancel();
            linger = null;
        }
    }
}
