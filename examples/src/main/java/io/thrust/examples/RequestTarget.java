package io.thrust.examples;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The target of a request, for services to which it matters: shown the bytes that a {@link RequestParser} has accepted,
 * it finds the target among them. It copies nothing of a request that was read as a whole.
 */
final class RequestTarget {
    private static final int START = 0;
    private static final int METHOD = 1;
    private static final int TARGET = 2;
    private static final int COMPLETE = 3;

    private static final byte[] EMPTY = {};

    private int state = START;

    /** Where the target lies: what was read, or {@link #kept}. */
    private byte[] bytes = EMPTY;

    private int from;
    private int to;

    /** The beginning of the target, if the rest of the request is read later. */
    private byte @Nullable [] kept;

    /** Takes over the next bytes of the request, which may be all of them, or go on after its head. */
    void read(byte[] bytes, int from, int to) {
        int i = from;
        while (i < to && state < TARGET) {
            byte c = bytes[i];
            if (state == METHOD) {
                state = c == ' ' ? TARGET : METHOD;
            } else if (c != '\r' && c != '\n') {
                state = METHOD;
            }
            i++;
        }
        if (state != TARGET) {
            return;
        }
        int start = i;
        while (i < to && bytes[i] != ' ') {
            i++;
        }
        byte[] kept = this.kept;
        if (kept == null) {
            this.bytes = bytes;
            this.from = start;
            this.to = i;
        } else {
            int length = kept.length;
            kept = Arrays.copyOf(kept, length + i - start);
            System.arraycopy(bytes, start, kept, length, i - start);
            keep(kept);
        }
        if (i < to) {
            state = COMPLETE;
        }
    }

    /** The rest of the request is read later, and what was read until now is overwritten. */
    void keep() {
        if (state >= TARGET && kept == null) {
            keep(Arrays.copyOfRange(bytes, from, to));
        }
    }

    private void keep(byte[] kept) {
        this.kept = kept;
        bytes = kept;
        from = 0;
        to = kept.length;
    }

    /** The request was answered: what is read next belongs to another one. */
    void clear() {
        state = START;
        kept = null;
        bytes = EMPTY;
        from = 0;
        to = 0;
    }

    /** Whether the path begins with this text. */
    boolean startsWith(byte[] text) {
        int start = pathStart();
        return Arrays.equals(bytes, start, Math.min(start + text.length, pathEnd()), text, 0, text.length);
    }

    /** The array in which the path lies, from {@link #pathStart} to {@link #pathEnd}. */
    byte[] bytes() {
        return bytes;
    }

    /** After the scheme and the authority of a target that has them (RFC 9112, 3.2). */
    int pathStart() {
        int i = from;
        if (i < to && bytes[i] != '/') {
            for (int slashes = 0; i < to && bytes[i] != '?'; i++) {
                if (bytes[i] == '/' && ++slashes == 3) {
                    break;
                }
            }
        }
        return i;
    }

    /** Before the query. */
    int pathEnd() {
        int i = from;
        while (i < to && bytes[i] != '?') {
            i++;
        }
        return i;
    }

    /** The path after so many bytes of it. */
    String path(int skipped) {
        int start = pathStart() + skipped;
        return new String(bytes, start, Math.max(0, pathEnd() - start), StandardCharsets.US_ASCII);
    }
}
