package io.thrust.examples;

import static io.thrust.examples.Characters.HOST_TEXT;
import static io.thrust.examples.Characters.TEXT;
import static io.thrust.examples.Characters.TOKEN;
import static io.thrust.examples.Characters.ascii;

import org.jspecify.annotations.Nullable;

/**
 * The head of a request, read byte by byte, so that it may come in pieces of any size; {@link UsualHead} reads the usual
 * kinds faster. The trailers after a chunked body are read in the same way.
 */
final class RequestHead {
    /** All bytes were consumed; the head goes on. */
    static final int MORE = 0;
    /** The head, or the trailers, came to the end. */
    static final int COMPLETE = 1;
    /** What came is refused with {@link #status}. */
    static final int REFUSED = 2;

    /** The most bytes of a head, from the request line to the empty line, and of the trailers of a chunked body. */
    static final int MOST_BYTES = 16 * 1024;

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
    private static final int FAILED = 17;

    static final long GET = 0x47_45_54L;
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

    private int state = START;
    private int outcome;
    private int status;
    /** What is left of {@link #MOST_BYTES}. */
    private int left = MOST_BYTES;

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

    /** Consumes bytes up to the {@link #outcome}, or all of them; returns the index after the last one. */
    int read(byte[] bytes, int from, int to) {
        int most = Math.min(to, from + left);
        outcome = MORE;
        if (left == MOST_BYTES && state == START) {
            int end = UsualHead.read(bytes, from, most, this);
            if (end != UsualHead.UNUSUAL) {
                outcome = COMPLETE;
                return end;
            }
        }
        int end = readBytes(bytes, from, most, state);
        left -= end - from;
        if (outcome == COMPLETE) {
            state = START;
            left = MOST_BYTES;
        } else if (outcome == MORE && left == 0) {
            refuse(RequestParser.HEAD_TOO_LARGE);
        }
        return end;
    }

    /** What the last {@link #read} led to: {@link #MORE}, {@link #COMPLETE} or {@link #REFUSED}. */
    int outcome() {
        return outcome;
    }

    int status() {
        return status;
    }

    /** What {@link UsualHead} read: a GET of HTTP/1.1 with a host, without a body, and without a wish to close. */
    void setUsual(boolean root) {
        begin();
        method = GET;
        minor = 1;
        hasHost = true;
        this.root = root;
    }

    void beginTrailers() {
        state = HEADER;
        inTrailers = true;
    }

    /** Whether the body has chunks. */
    boolean isChunked() {
        return chunked;
    }

    /** The length of a body without chunks. */
    long length() {
        return length;
    }

    /** Whether the client waits for {@code 100 Continue} before it sends its body. */
    boolean expectsContinue() {
        return hasExpect && minor >= 1;
    }

    boolean isGet() {
        return method == GET;
    }

    boolean isHead() {
        return method == HEAD;
    }

    /** Whether the client can read an answer in chunks: it speaks HTTP/1.1. */
    boolean isOfVersion11() {
        return minor >= 1;
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

    /** Consumes bytes of a head; returns the index after the last one. */
    private int readBytes(byte[] bytes, int from, int to, int state) {
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
                        return refuse(RequestParser.BAD_REQUEST, i);
                    }
                }
                case TARGET -> {
                    state = target(c);
                    if (state == FAILED) {
                        return refuse(RequestParser.BAD_REQUEST, i);
                    }
                }
                case SCHEME, AUTHORITY, PATH, QUERY, OPAQUE_TARGET -> {
                    state = restOfTarget(state, c);
                    if (state == FAILED) {
                        return refuse(RequestParser.BAD_REQUEST, i);
                    }
                }
                case VERSION -> {
                    if (!version(c)) {
                        return refuse(RequestParser.BAD_REQUEST, i);
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
                        return refuse(RequestParser.BAD_REQUEST, i);
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
                            return refuse(RequestParser.BAD_REQUEST, i);
                        }
                    } else if (c == '\r' && endValue()) {
                        state = VALUE_LF;
                    } else {
                        return refuse(RequestParser.BAD_REQUEST, i);
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
                        return refuse(RequestParser.BAD_REQUEST, i);
                    }
                }
                default -> {
                    if (c != '\n') {
                        return refuse(RequestParser.BAD_REQUEST, i);
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
                status = c == '1' ? 0 : RequestParser.VERSION_NOT_SUPPORTED;
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
            refuse(RequestParser.BAD_REQUEST);
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
            status =
                    name == EXPECT ? Math.max(status, RequestParser.EXPECTATION_FAILED) : RequestParser.NOT_IMPLEMENTED;
        }
        return true;
    }

    private void endHead() {
        if (inTrailers) {
            outcome = COMPLETE;
        } else if (minor >= 1 && !hasHost || chunked && (hasLength || minor == 0)) {
            refuse(RequestParser.BAD_REQUEST);
        } else if (status == RequestParser.NOT_IMPLEMENTED
                || status == RequestParser.EXPECTATION_FAILED && minor >= 1) {
            refuse(status);
        } else {
            outcome = COMPLETE;
        }
    }

    private int refuse(int status, int position) {
        refuse(status);
        return position;
    }

    private void refuse(int status) {
        this.status = status;
        state = FAILED;
        outcome = REFUSED;
    }
}
