package io.thrust.benchmarks.peers;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Finds the ends of heads in bytes that come in pieces, and has the answers. */
final class Heads {
    static final byte[] ANSWER =
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 13\r\n\r\nHello, World!"
                    .getBytes(StandardCharsets.US_ASCII);
    /** More than come at once. */
    static final int MOST_ANSWERS = 1024;

    private static final int END = 0x0d0a0d0a;

    private int last;

    /** Takes the next byte; whether it ends a head. */
    boolean endsWith(byte next) {
        last = last << 8 | next & 0xff;
        if (last != END) {
            return false;
        }
        last = 0;
        return true;
    }

    /** {@link #MOST_ANSWERS} answers in a row. */
    static ByteBuffer answers() {
        ByteBuffer answers = ByteBuffer.allocateDirect(MOST_ANSWERS * ANSWER.length);
        while (answers.hasRemaining()) {
            answers.put(ANSWER);
        }
        return answers.clear();
    }

    /** From the environment variable. */
    static int port() {
        String port = System.getenv("PORT");
        return port == null ? 8080 : Integer.parseInt(port);
    }

    /** From the environment variable. */
    static boolean isEcho() {
        return "echo".equals(System.getenv("MODE"));
    }
}
