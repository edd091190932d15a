package io.thrust.examples;

import org.jspecify.annotations.Nullable;

/**
 * Reads HTTP/1 requests from bytes that come in pieces of any size. It keeps nothing of the bytes but what an answer
 * depends on, so a connection that waits for the rest of a request holds no buffer; bodies are passed over.
 *
 * <p>Strict where leniency lets two readers of the same bytes disagree on where a request ends (RFC 9112): lines end in
 * CRLF alone, a head has one framing, whitespace stands only where the grammar has it.
 */
final class RequestParser {
    /** All bytes were consumed; the request goes on. */
    static final int MORE = 0;
    /** The head is complete, and the client waits for {@code 100 Continue} before it sends its body. */
    static final int CONTINUE = 1;
    /** A request is complete, its body included. */
    static final int REQUEST = 2;
    /** What came is refused with {@link #status}; where the next request would start is not known. */
    static final int REFUSED = 3;

    static final int BAD_REQUEST = 400;
    static final int EXPECTATION_FAILED = 417;
    static final int HEAD_TOO_LARGE = 431;
    static final int NOT_IMPLEMENTED = 501;
    static final int VERSION_NOT_SUPPORTED = 505;

    private static final int IN_HEAD = 0;
    private static final int IN_BODY = 1;
    private static final int IN_CHUNKS = 2;
    private static final int IN_TRAILERS = 3;
    private static final int FAILED = 4;

    private final RequestHead head = new RequestHead();
    /** Null until a body has chunks. */
    private @Nullable ChunkedBody chunks;

    private int part = IN_HEAD;
    private int position;
    private int status;
    /** Of a body without chunks, what was not passed over yet. */
    private long length;

    /**
     * Consumes bytes up to the next event, or all of them.
     *
     * @return {@link #MORE}, {@link #CONTINUE}, {@link #REQUEST} or {@link #REFUSED}; after the latter always this
     */
    int parse(byte[] bytes, int from, int to) {
        position = from;
        int event = MORE;
        while (event == MORE && position < to) {
            event = switch (part) {
                case IN_HEAD, IN_TRAILERS -> head(bytes, to);
                case IN_BODY -> body(to);
                case IN_CHUNKS -> chunks(bytes, to);
                default -> {
                    position = to;
                    yield REFUSED;
                }
            };
        }
        return event;
    }

    /** The index after the last byte that the last {@link #parse} consumed. */
    int position() {
        return position;
    }

    /** Why the bytes were {@link #REFUSED}: a status code of HTTP. */
    int status() {
        return status;
    }

    /** The head of the last {@link #REQUEST}. */
    RequestHead head() {
        return head;
    }

    private int head(byte[] bytes, int to) {
        position = head.read(bytes, position, to);
        return switch (head.outcome()) {
            case RequestHead.MORE -> MORE;
            case RequestHead.REFUSED -> refuse(head.status());
            default -> part == IN_TRAILERS ? complete() : endHead();
        };
    }

    private int endHead() {
        length = head.length();
        if (head.isChunked()) {
            chunks().begin();
            part = IN_CHUNKS;
        } else if (length > 0) {
            part = IN_BODY;
        } else {
            return complete();
        }
        return head.expectsContinue() ? CONTINUE : MORE;
    }

    private int body(int to) {
        int skipped = (int) Math.min(length, to - position);
        length -= skipped;
        position += skipped;
        return length == 0 ? complete() : MORE;
    }

    private int chunks(byte[] bytes, int to) {
        ChunkedBody chunks = chunks();
        position = chunks.read(bytes, position, to);
        if (chunks.isRefused()) {
            return refuse(BAD_REQUEST);
        }
        if (chunks.isLast()) {
            head.beginTrailers();
            part = IN_TRAILERS;
        }
        return MORE;
    }

    private ChunkedBody chunks() {
        ChunkedBody chunks = this.chunks;
        if (chunks == null) {
            chunks = new ChunkedBody();
            this.chunks = chunks;
        }
        return chunks;
    }

    private int complete() {
        part = IN_HEAD;
        return REQUEST;
    }

    private int refuse(int status) {
        this.status = status;
        part = FAILED;
        return REFUSED;
    }
}
