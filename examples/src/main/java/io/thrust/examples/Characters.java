package io.thrust.examples;

import java.nio.charset.StandardCharsets;

/** Which bytes may stand where in HTTP/1 (RFC 9110, 5.6.2 and 5.5; RFC 3986, 3.2). */
final class Characters {
    /** By byte: the lower-case form of a character of a token, else 0. */
    static final byte[] TOKEN = new byte[256];
    /** By byte: whether a header value may have it. */
    static final boolean[] TEXT = new boolean[256];
    /** By byte: whether a host with a port may have it. */
    static final boolean[] HOST_TEXT = new boolean[256];

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

    private Characters() {}

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
