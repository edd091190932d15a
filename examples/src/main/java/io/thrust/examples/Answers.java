package io.thrust.examples;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The answers of the HTTP server, formatted once. An answer is a byte, its kind, so that the answers which a client has
 * not read yet need a byte each and no more.
 */
final class Answers {
    private static final int HEAD = 1;
    private static final int CLOSE = 2;
    private static final int KINDS_PER_STATUS = 4;

    private static final int[] STATUSES = {
        200, 404, 405, 100, 400, 417, 431, 501, 505,
    };

    /** {@code 200 OK} with the body, on a connection that persists. */
    static final byte HELLO = 0;

    static final byte CONTINUE = 3 * KINDS_PER_STATUS;

    private static final byte[][] BYTES = new byte[STATUSES.length * KINDS_PER_STATUS][];

    static {
        for (int i = 0; i < BYTES.length; i++) {
            BYTES[i] = format(STATUSES[i / KINDS_PER_STATUS], (i & HEAD) != 0, (i & CLOSE) != 0)
                    .getBytes(StandardCharsets.US_ASCII);
        }
    }

    private static final int ROOM = 64 * 1024;
    private static final int HELLO_LENGTH = BYTES[HELLO].length;

    /** {@link #HELLO} again and again, so that a batch of pipelined requests is answered by a slice of it. */
    private final ByteBuffer hellos = ByteBuffer.allocateDirect(ROOM / HELLO_LENGTH * HELLO_LENGTH);

    /** Where other batches are put together. */
    private final ByteBuffer mixed = ByteBuffer.allocateDirect(ROOM);

    Answers() {
        while (hellos.hasRemaining()) {
            hellos.put(BYTES[HELLO]);
        }
    }

    /** The kind of the answer with this status. */
    static byte kind(int status, boolean head, boolean close) {
        for (int i = 0; i < STATUSES.length; i++) {
            if (STATUSES[i] == status) {
                return (byte) (i * KINDS_PER_STATUS + (head ? HEAD : 0) + (close ? CLOSE : 0));
            }
        }
        throw new IllegalArgumentException("there is no answer with the status " + status);
    }

    /** Whether the connection is closed after an answer of this kind. */
    static boolean isLast(byte kind) {
        return (kind & CLOSE) != 0;
    }

    static int length(byte kind) {
        return BYTES[kind].length;
    }

    /**
     * The bytes of these answers, or of as many as there is room for.
     *
     * @param kinds at least one from {@code from} to {@code to}
     * @param skip how many bytes of the first one to leave out
     * @return direct, and valid until the next call
     */
    ByteBuffer bytes(byte[] kinds, int from, int to, int skip) {
        int hellos = from;
        while (hellos < to && kinds[hellos] == HELLO) {
            hellos++;
        }
        if (hellos == to) {
            ByteBuffer bytes = this.hellos;
            return bytes.limit(Math.min((to - from) * HELLO_LENGTH, bytes.capacity()))
                    .position(skip);
        }
        ByteBuffer bytes = mixed.clear();
        for (int i = from; i < to && length(kinds[i]) <= bytes.remaining(); i++) {
            bytes.put(BYTES[kinds[i]]);
        }
        return bytes.flip().position(skip);
    }

    /** Appends an answer of this kind, for those who put the bytes of their answers together themselves. */
    static void put(byte kind, ByteBuffer dst) {
        dst.put(BYTES[kind]);
    }

    private static String format(int status, boolean head, boolean close) {
        if (status == 100) {
            return "HTTP/1.1 100 Continue\r\n\r\n";
        }
        return format(status, status == 200 ? "Hello, World!" : status + " " + reason(status) + "\n", head, close);
    }

    /** The answer with this status and body; without its body if it is one to a HEAD. */
    static String format(int status, String body, boolean head, boolean close) {
        return "HTTP/1.1 " + status + " " + reason(status) + "\r\n"
                + "Content-Type: text/plain\r\n"
                + "Content-Length: " + body.length() + "\r\n"
                + (status == 405 ? "Allow: GET, HEAD\r\n" : "")
                + (close ? "Connection: close\r\n" : "")
                + "\r\n"
                + (head ? "" : body);
    }

    private static String reason(int status) {
        return switch (status) {
            case 200 -> "OK";
            case 400 -> "Bad Request";
            case 404 -> "Not Found";
            case 405 -> "Method Not Allowed";
            case 417 -> "Expectation Failed";
            case 431 -> "Request Header Fields Too Large";
            case 501 -> "Not Implemented";
            case 505 -> "HTTP Version Not Supported";
            default -> throw new IllegalArgumentException("there is no reason for the status " + status);
        };
    }
}
