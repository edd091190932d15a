package io.thrust.examples;

import static io.thrust.examples.Characters.HOST_TEXT;
import static io.thrust.examples.Characters.TEXT;
import static io.thrust.examples.Characters.TOKEN;
import static io.thrust.examples.Characters.ascii;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads heads of the usual kind that lie whole in the bytes: a GET of HTTP/1.1 whose headers neither announce a body nor
 * ask for anything. It accepts only what {@link RequestHead} accepts, to the same effect, and leaves it everything else:
 * what is refused is never decided here. Several bytes are looked at together, where those byte by byte would cost more
 * than all else that a pipelined request needs in this process.
 */
final class UsualHead {
    /** Leave it to {@link RequestHead}. */
    static final int UNUSUAL = -1;

    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private static final int GET = word("GET ");
    private static final long VERSION = longWord("HTTP/1.1");
    private static final int HOST = word("host");
    /** Of each byte, what makes a letter of ASCII a lower-case one. */
    private static final int LOWER_CASE = 0x20202020;

    private static final long[] KEEP_ALIVE = {longWord("Connecti"), longWord("on: keep"), longWord("-alive\r\n")};

    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = ONES << 7;

    private UsualHead() {}

    /**
     * Tells {@code head} what the head says, if it is whole and usual.
     *
     * @return the index after it, or {@link #UNUSUAL}; then nothing was told
     */
    static int read(byte[] bytes, int from, int to, RequestHead head) {
        int path = from + "GET ".length();
        // Nothing shorter is whole, and so the first reads stay within the bytes.
        if (to - from < "GET / HTTP/1.1\r\nHost:\r\n\r\n".length()
                || (int) INTS.get(bytes, from) != GET
                || bytes[path] != '/') {
            return UNUSUAL;
        }
        int i = path + 1;
        boolean root = bytes[i] == ' ' || bytes[i] == '?';
        while (i < to && bytes[i] > ' ' && bytes[i] < 0x7f) {
            i++;
        }
        int line = i + " HTTP/1.1\r\n".length();
        if (line > to
                || bytes[i] != ' '
                || (long) LONGS.get(bytes, i + 1) != VERSION
                || bytes[line - 2] != '\r'
                || bytes[line - 1] != '\n') {
            return UNUSUAL;
        }
        int end = headers(bytes, line, to);
        if (end != UNUSUAL) {
            head.setUsual(root);
        }
        return end;
    }

    /** Reads the headers and the empty line; there has to be one host. */
    private static int headers(byte[] bytes, int from, int to) {
        boolean hasHost = false;
        int i = from;
        while (to - i >= 2) {
            if (bytes[i] == '\r') {
                return hasHost && bytes[i + 1] == '\n' ? i + 2 : UNUSUAL;
            }
            int lower = TOKEN[bytes[i] & 0xff];
            int valueEnd;
            if (lower == 'h' && isHost(bytes, i, to)) {
                if (hasHost) {
                    return UNUSUAL;
                }
                hasHost = true;
                valueEnd = hostEnd(bytes, blanksEnd(bytes, i + "host:".length(), to), to);
            } else if (lower == 'c' && isKeepAlive(bytes, i, to)) {
                i += KEEP_ALIVE.length * Long.BYTES;
                continue;
            } else {
                int colon = nameEnd(bytes, i, to);
                if (colon == i || colon == to || bytes[colon] != ':' || mayMatter(lower, colon - i)) {
                    return UNUSUAL;
                }
                valueEnd = textEnd(bytes, colon + 1, to);
            }
            if (to - valueEnd < 2 || bytes[valueEnd] != '\r' || bytes[valueEnd + 1] != '\n') {
                return UNUSUAL;
            }
            i = valueEnd + 2;
        }
        return UNUSUAL;
    }

    private static boolean isHost(byte[] bytes, int from, int to) {
        return to - from > Integer.BYTES
                && ((int) INTS.get(bytes, from) | LOWER_CASE) == HOST
                && bytes[from + Integer.BYTES] == ':';
    }

    /** The usual way to say what is so anyway. */
    private static boolean isKeepAlive(byte[] bytes, int from, int to) {
        return to - from >= KEEP_ALIVE.length * Long.BYTES
                && (long) LONGS.get(bytes, from) == KEEP_ALIVE[0]
                && (long) LONGS.get(bytes, from + Long.BYTES) == KEEP_ALIVE[1]
                && (long) LONGS.get(bytes, from + 2 * Long.BYTES) == KEEP_ALIVE[2];
    }

    /** Whether a name of this first letter and length may be that of a header which {@link RequestHead} looks at. */
    private static boolean mayMatter(int first, int length) {
        return switch (first) {
            case 'c' -> length == "connection".length() || length == "content-length".length();
            case 't' -> length == "transfer-encoding".length();
            case 'e' -> length == "expect".length();
            default -> false;
        };
    }

    private static int blanksEnd(byte[] bytes, int from, int to) {
        int i = from;
        while (i < to && (bytes[i] == ' ' || bytes[i] == '\t')) {
            i++;
        }
        return i;
    }

    private static int hostEnd(byte[] bytes, int from, int to) {
        int i = from;
        while (i < to && HOST_TEXT[bytes[i] & 0xff]) {
            i++;
        }
        return i;
    }

    private static int nameEnd(byte[] bytes, int from, int to) {
        int i = from;
        while (i < to && TOKEN[bytes[i] & 0xff] != 0) {
            i++;
        }
        return i;
    }

    private static int textEnd(byte[] bytes, int from, int to) {
        int i = from;
        while (true) {
            while (to - i >= Long.BYTES && !hasControl((long) LONGS.get(bytes, i))) {
                i += Long.BYTES;
            }
            int near = Math.min(to, i + Long.BYTES);
            while (i < near && TEXT[bytes[i] & 0xff]) {
                i++;
            }
            if (i < near || i == to) {
                return i;
            }
        }
    }

    /** Whether a byte is below 0x20 or is 0x7f; a tab among them is looked at again. */
    private static boolean hasControl(long word) {
        long deletes = word ^ 0x7f * ONES;
        return ((word - ' ' * ONES & ~word | deletes - ONES & ~deletes) & HIGH_BITS) != 0;
    }

    private static int word(String text) {
        return (int) INTS.get(ascii(text), 0);
    }

    private static long longWord(String text) {
        return (long) LONGS.get(ascii(text), 0);
    }
}
