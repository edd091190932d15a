package io.thrust.examples;

import java.nio.charset.StandardCharsets;
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

    /** The most bytes of a head, from the request line to the empty line, and of the trailers of a chunked body. */
    static final int MOST_HEAD_BYTES = 16 * 1024;
    /** The most bytes of the line before a chunk. */
    static final int MOST_CHUNK_LINE_BYTES = 4 * 1024;

    static final int BAD_REQUEST = 400;
    static final int EXPECTATION_FAILED = 417;
    static final int HEAD_TOO_LARGE = 431;
    static final int NOT_IMPLEMENTED = 501;
    static final int VERSION_NOT_SUPPORTED = 505;

    private static final int START = 0;
    private static final int START_LF = 1;
    private static final int METHOD = 2;
    private static final int TARGET = 3;
    private static final int SCHEME = 4;
    private static final int AUTHORITY = 5;
    private static final int PATH = 6;
    private static final int QUERY = 7;
    private static final int OPAQUE_TARGET = 8;
    private static final int VERSION = 9;
    private static final int REQUEST_LINE_LF = 10;
    private static final int HEADER = 11;
    private static final int NAME = 12;
    private static final int BEFORE_VALUE = 13;
    private static final int VALUE = 14;
    private static final int VALUE_LF = 15;
    private static final int HEAD_LF = 16;
    /** The states up to this one count against {@link #MOST_HEAD_BYTES}. */
    private static final int LAST_OF_HEAD = HEAD_LF;

    private static final int BODY = 17;
    private static final int CHUNK_SIZE = 18;
    private static final int CHUNK_BLANK = 19;
    private static final int CHUNK_EXTENSION = 20;
    private static final int CHUNK_LF = 21;
    private static final int CHUNK_DATA = 22;
    private static final int CHUNK_END_CR = 23;
    private static final int CHUNK_END_LF = 24;
    private static final int FAILED = 25;

    private static final long GET = 0x47_45_54L;
    private static final long HEAD = 0x48_45_41_44L;
    private static final long CONNECT = 0x43_4f_4e_4e_45_43_54L;
    private static final long OPTIONS = 0x4f_50_54_49_4f_4e_53L;

    private static final byte[] HTTP_SCHEME = ascii("http://");
    private static final byte[] HTTP_NAME = ascii("HTTP/");
    private static final int VERSION_LENGTH = "HTTP/1.1".length();

    private static final byte[] HOST = ascii("host");
    private static final byte[] CONTENT_LENGTH = ascii("content-length");
    private static final byte[] TRANSFER_ENCODING = ascii("transfer-encoding");
    private static final byte[] CONNECTION = ascii("connection");
    private static final byte[] EXPECT = ascii("expect");
    /** Where the names of {@link #CONNECTION} and {@link #CONTENT_LENGTH} part. */
    private static final int CONNECTION_FORK = 3;

    private static final byte[] CHUNKED = ascii("chunked");
    private static final byte[] HUNDRED_CONTINUE = ascii("100-continue");
    private static final byte[] CLOSE = ascii("close");
    private static final byte[] KEEP_ALIVE = ascii("keep-alive");

    /** By byte: the lower-case form of a character of a token, else 0. */
    private static final byte[] TOKEN = new byte[256];
    /** By byte: whether a header value may have it. */
    private static final boolean[] TEXT = new boolean[256];
    /** By byte: whether a host with a port may have it. */
    private static final boolean[] HOST_TEXT = new boolean[256];

    static {
        for (int c = 'a'; c <= 'z'; c++) {
            TOKEN[c] = (byte) c;
            TOKEN[c - 'a' + 'A'] = (byte) c;
        }
        for (byte c : ascii("0123456789!#$%&'*+-.^_`|~")) {
            TOKEN[c] = c;
        }
        for (int c = 0; c < 256; c++) {
            TEXT[c] = c == '\t' || c >= ' ' && c != 0x7f;
            HOST_TEXT[c] = Character.digit(c, 36) >= 0 && c < 0x80;
        }
        for (byte c : ascii("-._~!$&'()*+,;=:%[]")) {
            HOST_TEXT[c] = true;
        }
    }

    private int state = START;
    private int event;
    private int position;
    private int status;
    /** What is left of {@link #MOST_HEAD_BYTES}, or of {@link #MOST_CHUNK_LINE_BYTES}. */
    private int left = MOST_HEAD_BYTES;

    /** The bytes of the method, which cannot be 0, shifted in; the last eight of a longer one. */
    private long method;

    private boolean root;
    private boolean asterisk;
    private int minor;

    private boolean hasHost;
    private boolean close;
    private boolean keepAlive;
    private boolean hasExpect;
    private boolean chunked;
    private boolean hasLength;
    private long length;

    /** The header whose value is being read; null if it does not matter. */
    private byte @Nullable [] name;

    private boolean inTrailers;
    /** What is being compared; null once it differs. */
    private byte @Nullable [] literal;
    /** How much of the present word was read. */
    private int index;

    private boolean afterBlank;

    /**
     * Consumes bytes up to the next event, or all of them.
     *
     * @return {@link #MORE}, {@link #CONTINUE}, {@link #REQUEST} or {@link #REFUSED}; after the latter always this
     */
    int parse(byte[] bytes, int from, int to) {
        int i = from;
        while (i < to) {
            int state = this.state;
            if (state <= LAST_OF_HEAD) {
                int most = Math.min(to, i + left);
                int next = head(bytes, i, most, state);
                left -= next - i;
                i = next;
                if (this.state > LAST_OF_HEAD) {
                    left = MOST_CHUNK_LINE_BYTES;
                } else if (event == MORE && left == 0) {
                    refuse(HEAD_TOO_LARGE);
                }
            } else {
                i = body(bytes, i, to, state);
            }
            if (event != MORE) {
                position = i;
                int event = this.event;
                if (event != REFUSED) {
                    this.event = MORE;
                }
                if (event == REQUEST) {
                    left = MOST_HEAD_BYTES;
                }
                return event;
            }
        }
        position = to;
        return MORE;
    }

    /** The index after the last byte that the last {@link #parse} consumed. */
    int position() {
        return position;
    }

    /** Why the bytes were {@link #REFUSED}: a status code of HTTP. */
    int status() {
        return status;
    }

    boolean isGet() {
        return method == GET;
    }

    boolean isHead() {
        return method == HEAD;
    }

    /** Whether the target has the path "/"; a query does not matter. */
    boolean isRoot() {
        return root;
    }

    /** Whether the connection persists after this request (RFC 9112, 9.3). */
    boolean isKeepAlive() {
        // What follows a CONNECT may be meant for a tunnel.
        return !close && (minor >= 1 || keepAlive) && method != CONNECT;
    }

    /** Whether the target is not that of a resource: "*", or the authority of a CONNECT. */
    boolean isWithoutPath() {
        return asterisk || method == CONNECT;
    }

    // ---- head

    /** Consumes bytes of a head; returns the index after the last one. */
    private int head(byte[] bytes, int from, int to, int state) {
        int i = from;
        while (i < to) {
            int c = bytes[i++] & 0xff;
            switch (state) {
                case START -> {
                    if (c == '\r') {
                        state = START_LF;
                    } else {
                        begin();
                        i--;
                        state = METHOD;
                    }
                }
                case METHOD -> {
                    if (TOKEN[c] != 0) {
                        method = method << 8 | c;
                    } else if (c == ' ' && method != 0) {
                        state = TARGET;
                    } else {
                        return refuse(BAD_REQUEST, i);
                    }
                }
                case TARGET -> {
                    state = target(c);
                    if (state == FAILED) {
                        return refuse(BAD_REQUEST, i);
                    }
                }
                case SCHEME, AUTHORITY, PATH, QUERY, OPAQUE_TARGET -> {
                    state = restOfTarget(state, c);
                    if (state == FAILED) {
                        return refuse(BAD_REQUEST, i);
                    }
                }
                case VERSION -> {
                    if (!version(c)) {
                        return refuse(BAD_REQUEST, i);
                    }
                    if (index == VERSION_LENGTH + 1) {
                        state = REQUEST_LINE_LF;
                    }
                }
                case NAME -> {
                    int lower = TOKEN[c];
                    while (lower != 0) {
                        nameByte(lower);
                        if (i == to) {
                            this.state = NAME;
                            return i;
                        }
                        c = bytes[i++] & 0xff;
                        lower = TOKEN[c];
                    }
                    if (c != ':' || !beginValue()) {
                        return refuse(BAD_REQUEST, i);
                    }
                    state = BEFORE_VALUE;
                }
                case BEFORE_VALUE -> {
                    if (c != ' ' && c != '\t') {
                        i--;
                        state = VALUE;
                    }
                }
                case VALUE -> {
                    if (name == null) {
                        while (TEXT[c] && i < to) {
                            c = bytes[i++] & 0xff;
                        }
                    }
                    if (TEXT[c]) {
                        if (name != null && !valueByte(c)) {
                            return refuse(BAD_REQUEST, i);
                        }
                    } else if (c == '\r' && endValue()) {
                        state = VALUE_LF;
                    } else {
                        return refuse(BAD_REQUEST, i);
                    }
                }
                case HEADER -> {
                    if (c == '\r') {
                        state = HEAD_LF;
                    } else if (TOKEN[c] != 0) {
                        beginName(TOKEN[c]);
                        i--;
                        state = NAME;
                    } else {
                        return refuse(BAD_REQUEST, i);
                    }
                }
                default -> {
                    if (c != '\n') {
                        return refuse(BAD_REQUEST, i);
                    }
                    if (state == HEAD_LF) {
                        endHead();
                        return i;
                    }
                    if (state == REQUEST_LINE_LF && requestLineIsRefused()) {
                        return i;
                    }
                    state = state == START_LF ? START : HEADER;
                }
            }
        }
        this.state = state;
        return i;
    }

    private void begin() {
        method = 0;
        root = false;
        asterisk = false;
        minor = 0;
        status = 0;
        hasHost = false;
        close = false;
        keepAlive = false;
        hasExpect = false;
        chunked = false;
        hasLength = false;
        length = 0;
        inTrailers = false;
        afterBlank = false;
        index = 0;
    }

    private int target(int c) {
        if (method == CONNECT) {
            return c > ' ' && c < 0x7f ? OPAQUE_TARGET : FAILED;
        }
        if (c == '/') {
            root = true;
            return PATH;
        }
        if (c == '*') {
            asterisk = true;
            return OPAQUE_TARGET;
        }
        return TOKEN[c] == 'h' ? nextOfScheme(c) : FAILED;
    }

    private int restOfTarget(int state, int c) {
        if (c == ' ') {
            if (state == SCHEME || state == AUTHORITY && index == 0) {
                return FAILED;
            }
            root |= state == AUTHORITY;
            index = 0;
            return VERSION;
        }
        if (c < ' ' || c >= 0x7f) {
            return FAILED;
        }
        switch (state) {
            case SCHEME -> {
                return nextOfScheme(c);
            }
            case AUTHORITY -> {
                if (c == '/' || c == '?') {
                    root = true;
                    return index == 0 ? FAILED : c == '/' ? PATH : QUERY;
                }
                index = 1;
                return HOST_TEXT[c] ? AUTHORITY : FAILED;
            }
            case PATH -> {
                if (c == '?') {
                    return QUERY;
                }
                root = false;
                return PATH;
            }
            case OPAQUE_TARGET -> {
                return asterisk ? FAILED : OPAQUE_TARGET;
            }
            default -> {
                return state;
            }
        }
    }

    private int nextOfScheme(int c) {
        int lower = TOKEN[c] != 0 ? TOKEN[c] : c;
        if (lower == 's' && index == "http".length() && !afterBlank) {
            // Remembered, for there is one "s" at most.
            afterBlank = true;
            return SCHEME;
        }
        if (lower != HTTP_SCHEME[index]) {
            return FAILED;
        }
        if (++index < HTTP_SCHEME.length) {
            return SCHEME;
        }
        index = 0;
        return AUTHORITY;
    }

    private boolean version(int c) {
        int index = this.index++;
        if (index < HTTP_NAME.length) {
            return c == HTTP_NAME[index];
        }
        switch (index - HTTP_NAME.length) {
            case 0 -> {
                // Refused at the end of the line, which has to be well-formed to be of another version.
                status = c == '1' ? 0 : VERSION_NOT_SUPPORTED;
                return c >= '0' && c <= '9';
            }
            case 1 -> {
                return c == '.';
            }
            case 2 -> {
                minor = c - '0';
                return c >= '0' && c <= '9';
            }
            default -> {
                return c == '\r';
            }
        }
    }

    private boolean requestLineIsRefused() {
        if (status != 0) {
            refuse(status);
            return true;
        }
        if (asterisk && method != OPTIONS) {
            refuse(BAD_REQUEST);
            return true;
        }
        return false;
    }

    private void beginName(int lower) {
        index = 0;
        if (inTrailers) {
            literal = null;
            return;
        }
        literal = switch (lower) {
            case 'h' -> HOST;
            case 'c' -> CONNECTION;
            case 't' -> TRANSFER_ENCODING;
            case 'e' -> EXPECT;
            default -> null;
        };
    }

    private void nameByte(int lower) {
        byte[] literal = this.literal;
        if (literal == null) {
            return;
        }
        int index = this.index++;
        if (index == CONNECTION_FORK && lower == 't' && literal == CONNECTION) {
            this.literal = CONTENT_LENGTH;
        } else if (index >= literal.length || literal[index] != lower) {
            this.literal = null;
        }
    }

    /** At the colon; false if this header must not come again. */
    private boolean beginValue() {
        byte[] name = literal;
        if (name != null && index < name.length) {
            name = null;
        }
        this.name = name;
        if (name == null) {
            return true;
        }
        index = 0;
        afterBlank = false;
        if (name == HOST) {
            boolean first = !hasHost;
            hasHost = true;
            return first;
        }
        if (name == CONTENT_LENGTH) {
            boolean first = !hasLength;
            hasLength = true;
            return first;
        }
        if (name == TRANSFER_ENCODING) {
            boolean first = !chunked;
            chunked = true;
            literal = CHUNKED;
            return first;
        }
        if (name == EXPECT) {
            hasExpect = true;
            literal = HUNDRED_CONTINUE;
        }
        return true;
    }

    /** A byte of a value that matters, after the blanks before it. */
    private boolean valueByte(int c) {
        if (name == CONNECTION) {
            connectionByte(c);
            return true;
        }
        if (c == ' ' || c == '\t') {
            afterBlank = true;
            return true;
        }
        if (afterBlank) {
            // A second word.
            literal = null;
            return name != HOST && name != CONTENT_LENGTH;
        }
        if (name == HOST) {
            return HOST_TEXT[c];
        }
        int index = this.index++;
        if (name == CONTENT_LENGTH) {
            int digit = c - '0';
            if (digit < 0 || digit > 9 || length > (Long.MAX_VALUE - digit) / 10) {
                return false;
            }
            length = length * 10 + digit;
            return true;
        }
        compare(c, index);
        return true;
    }

    private void connectionByte(int c) {
        if (c == ' ' || c == '\t' || c == ',') {
            endOption();
            index = 0;
            return;
        }
        int index = this.index++;
        if (index == 0) {
            literal = TOKEN[c] == 'c' ? CLOSE : KEEP_ALIVE;
        }
        compare(c, index);
    }

    private void endOption() {
        byte[] literal = this.literal;
        if (literal != null && index == literal.length) {
            close |= literal == CLOSE;
            keepAlive |= literal == KEEP_ALIVE;
        }
    }

    private void compare(int c, int index) {
        byte[] literal = this.literal;
        if (literal != null && (index >= literal.length || TOKEN[c] != literal[index])) {
            this.literal = null;
        }
    }

    /** At the end of a line; false if the value is wrong. */
    private boolean endValue() {
        byte[] name = this.name;
        if (name == null) {
            return true;
        }
        if (name == CONTENT_LENGTH) {
            return index > 0;
        }
        if (name == CONNECTION) {
            endOption();
        } else if (name != HOST && (literal == null || index < literal.length)) {
            // Told of at the end of the head: the framing comes first.
            status = name == EXPECT ? Math.max(status, EXPECTATION_FAILED) : NOT_IMPLEMENTED;
        }
        return true;
    }

    private void endHead() {
        if (inTrailers) {
            complete();
        } else if (minor >= 1 && !hasHost || chunked && (hasLength || minor == 0)) {
            refuse(BAD_REQUEST);
        } else if (status == NOT_IMPLEMENTED || status == EXPECTATION_FAILED && minor >= 1) {
            refuse(status);
        } else if (chunked || length > 0) {
            state = chunked ? CHUNK_SIZE : BODY;
            index = 0;
            if (hasExpect && minor >= 1) {
                event = CONTINUE;
            }
        } else {
            complete();
        }
    }

    // ---- body

    private int body(byte[] bytes, int from, int to, int state) {
        if (state == BODY || state == CHUNK_DATA) {
            int skipped = (int) Math.min(length, to - from);
            length -= skipped;
            if (length == 0) {
                if (state == BODY) {
                    complete();
                } else {
                    this.state = CHUNK_END_CR;
                }
            }
            return from + skipped;
        }
        int c = bytes[from] & 0xff;
        switch (state) {
            case CHUNK_SIZE, CHUNK_BLANK, CHUNK_EXTENSION -> {
                chunkLine(state, c);
                if (--left == 0 && this.state < CHUNK_LF) {
                    refuse(BAD_REQUEST);
                }
            }
            case CHUNK_LF -> endChunkLine(c);
            case CHUNK_END_CR -> expect(c, '\r', CHUNK_END_LF);
            case CHUNK_END_LF -> {
                expect(c, '\n', CHUNK_SIZE);
                index = 0;
                left = MOST_CHUNK_LINE_BYTES;
            }
            default -> refuse(status);
        }
        return from + 1;
    }

    private void chunkLine(int state, int c) {
        if (state == CHUNK_SIZE) {
            chunkSize(c);
        } else if (state == CHUNK_EXTENSION) {
            if (c == '\r') {
                this.state = CHUNK_LF;
            } else if (!TEXT[c]) {
                refuse(BAD_REQUEST);
            }
        } else if (c == ';') {
            this.state = CHUNK_EXTENSION;
        } else if (c != ' ' && c != '\t') {
            refuse(BAD_REQUEST);
        }
    }

    private void chunkSize(int c) {
        int digit = c < 0x80 ? Character.digit(c, 16) : -1;
        if (digit >= 0) {
            if (length > Long.MAX_VALUE >> 4) {
                refuse(BAD_REQUEST);
                return;
            }
            length = length << 4 | digit;
            index = 1;
        } else if (index == 0) {
            refuse(BAD_REQUEST);
        } else if (c == '\r') {
            state = CHUNK_LF;
        } else if (c == ';') {
            state = CHUNK_EXTENSION;
        } else if (c == ' ' || c == '\t') {
            state = CHUNK_BLANK;
        } else {
            refuse(BAD_REQUEST);
        }
    }

    private void endChunkLine(int c) {
        if (c != '\n') {
            refuse(BAD_REQUEST);
        } else if (length > 0) {
            state = CHUNK_DATA;
        } else {
            state = HEADER;
            inTrailers = true;
            left = MOST_HEAD_BYTES;
        }
    }

    private void expect(int c, int expected, int next) {
        if (c == expected) {
            state = next;
        } else {
            refuse(BAD_REQUEST);
        }
    }

    // ---- ends

    private void complete() {
        state = START;
        event = REQUEST;
    }

    private int refuse(int status, int position) {
        refuse(status);
        return position;
    }

    private void refuse(int status) {
        this.status = status;
        state = FAILED;
        event = REFUSED;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
