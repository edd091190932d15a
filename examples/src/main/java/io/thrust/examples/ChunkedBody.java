package io.thrust.examples;

import static io.thrust.examples.Characters.TEXT;

/** A chunked body (RFC 9112, 7.1) without its trailers, passed over byte by byte. */
final class ChunkedBody {
    /** The most bytes of the line before a chunk. */
    static final int MOST_LINE_BYTES = 4 * 1024;

    private static final int CHUNK_SIZE = 0;
    private static final int CHUNK_BLANK = 1;
    private static final int CHUNK_EXTENSION = 2;
    private static final int CHUNK_LF = 3;
    private static final int CHUNK_DATA = 4;
    private static final int CHUNK_END_CR = 5;
    private static final int CHUNK_END_LF = 6;
    private static final int LAST = 7;
    private static final int FAILED = 8;

    private int state;
    /** Of the chunk, what was not passed over yet. */
    private long length;
    /** What is left of {@link #MOST_LINE_BYTES}. */
    private int left;
    /** Whether the line has a digit. */
    private boolean hasSize;

    ChunkedBody() {
        begin();
    }

    void begin() {
        state = CHUNK_SIZE;
        length = 0;
        left = MOST_LINE_BYTES;
        hasSize = false;
    }

    /** Whether the line of the last chunk came. */
    boolean isLast() {
        return state == LAST;
    }

    boolean isRefused() {
        return state == FAILED;
    }

    /** Consumes bytes until {@link #isLast} or {@link #isRefused}, or all; returns the index after the last one. */
    int read(byte[] bytes, int from, int to) {
        int i = from;
        while (i < to && state < LAST) {
            if (state == CHUNK_DATA) {
                int skipped = (int) Math.min(length, to - i);
                length -= skipped;
                i += skipped;
                if (length == 0) {
                    state = CHUNK_END_CR;
                }
            } else {
                next(bytes[i++] & 0xff);
            }
        }
        return i;
    }

    private void next(int c) {
        switch (state) {
            case CHUNK_LF -> endChunkLine(c);
            case CHUNK_END_CR -> expect(c, '\r', CHUNK_END_LF);
            case CHUNK_END_LF -> {
                begin();
                expect(c, '\n', CHUNK_SIZE);
            }
            default -> {
                chunkLine(state, c);
                if (--left == 0 && state < CHUNK_LF) {
                    state = FAILED;
                }
            }
        }
    }

    private void chunkLine(int state, int c) {
        if (state == CHUNK_SIZE) {
            chunkSize(c);
        } else if (state == CHUNK_EXTENSION) {
            if (c == '\r') {
                this.state = CHUNK_LF;
            } else if (!TEXT[c]) {
                this.state = FAILED;
            }
        } else if (c == ';') {
            this.state = CHUNK_EXTENSION;
        } else if (c != ' ' && c != '\t') {
            this.state = FAILED;
        }
    }

    private void chunkSize(int c) {
        int digit = c < 0x80 ? Character.digit(c, 16) : -1;
        if (digit >= 0) {
            if (length > Long.MAX_VALUE >> 4) {
                state = FAILED;
                return;
            }
            length = length << 4 | digit;
            hasSize = true;
        } else if (!hasSize) {
            state = FAILED;
        } else if (c == '\r') {
            state = CHUNK_LF;
        } else if (c == ';') {
            state = CHUNK_EXTENSION;
        } else if (c == ' ' || c == '\t') {
            state = CHUNK_BLANK;
        } else {
            state = FAILED;
        }
    }

    private void endChunkLine(int c) {
        expect(c, '\n', length > 0 ? CHUNK_DATA : LAST);
    }

    private void expect(int c, int expected, int next) {
        state = c == expected ? next : FAILED;
    }
}
