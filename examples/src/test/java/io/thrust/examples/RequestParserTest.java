package io.thrust.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What each sequence of bytes means, and that it means the same however it is cut. */
class RequestParserTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";

    private static Arguments bytes(String bytes, String... events) {
        return Arguments.of(bytes, List.of(events));
    }

    static Stream<Arguments> accepted() {
        return Stream.of(
                bytes(GET, "GET / keep"),
                bytes(GET + GET + GET, "GET / keep", "GET / keep", "GET / keep"),
                bytes(ofABrowser("/", "keep-alive"), "GET / keep"),
                bytes(ofABrowser("/icon.png", "keep-alive") + GET, "GET other keep", "GET / keep"),
                bytes(ofABrowser("/?q", "Keep-Alive"), "GET / keep"),
                bytes(ofABrowser("/", "keep-alive, close"), "GET / close"),
                bytes(ofABrowser("/", "close"), "GET / close"),
                bytes(
                        "GET / HTTP/1.1\r\nX: 1234567\t\u00ff\t89abcdefgh\r\nHost: h\r\nE:\r\nTe: \r\n\r\n",
                        "GET / keep"),
                bytes("\r\n\r\n" + GET + "\r\n" + GET, "GET / keep", "GET / keep"),
                bytes("GET /?q=/x HTTP/1.1\r\nHost:\r\n\r\n", "GET / keep"),
                bytes("GET /x HTTP/1.1\r\nHost: h:8080\r\n\r\n", "GET other keep"),
                bytes("GET //?x HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", "GET other keep"),
                bytes("GET http://h HTTP/1.1\r\nHost: h\r\n\r\n", "GET / keep"),
                bytes("GET HTTP://h:80/ HTTP/1.1\r\nHost: h\r\n\r\n", "GET / keep"),
                bytes("GET https://h?x HTTP/1.1\r\nHost: h\r\n\r\n", "GET / keep"),
                bytes("GET http://h/x HTTP/1.1\r\nHost: h\r\n\r\n", "GET other keep"),
                bytes("HEAD / HTTP/1.1\r\nhOST:h\r\n\r\n", "HEAD / keep"),
                bytes("POST / HTTP/1.1\r\nHost: h\r\n\r\n", "OTHER / keep"),
                bytes("LONGGET / HTTP/1.1\r\nHost: h\r\n\r\n", "OTHER / keep"),
                bytes("AVERYLONGMETHODGET / HTTP/1.1\r\nHost: h\r\n\r\n", "OTHER / keep"),
                bytes("get / HTTP/1.1\r\nHost: h\r\n\r\n", "OTHER / keep"),
                bytes("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", "OTHER none keep"),
                bytes("CONNECT h:443 HTTP/1.1\r\nHost: h:443\r\n\r\n", "OTHER none close"),
                bytes("GET / HTTP/1.2\r\nHost: h\r\n\r\n", "GET / keep"),
                bytes("GET / HTTP/1.0\r\n\r\n", "GET / close"),
                bytes("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "GET / keep"),
                bytes("GET / HTTP/1.0\r\nConnection: x, Keep-Alive \r\n\r\n", "GET / keep"),
                bytes("GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n", "GET / close"),
                bytes("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", "GET / close"),
                bytes("GET / HTTP/1.1\r\nHost: h\r\nCONNECTION:\tx\t,,CLOSE,y\r\n\r\n", "GET / close"),
                bytes("GET / HTTP/1.1\r\nHost: h\r\nConnection: x\r\nConnection: close\r\n\r\n", "GET / close"),
                bytes("GET / HTTP/1.1\r\nHost: h\r\nConnection: closed\r\n\r\n", "GET / keep"),
                bytes("GET / HTTP/1.1\r\nHost: h\r\nConnection: clos\r\n\r\n", "GET / keep"),
                bytes("GET / HTTP/1.1\r\nHost: h\r\nConnections: close\r\n\r\n", "GET / keep"),
                bytes("GET / HTTP/1.1\r\nHost: h\r\nConnectio: close\r\n\r\n", "GET / keep"),
                bytes("GET / HTTP/1.1\r\nHosts: x\r\nHost: h\r\nHos: y\r\n\r\n", "GET / keep"),
                bytes("GET / HTTP/1.1\r\nX:\u00e9 \t y\r\nHost:  h \t\r\n\r\n", "GET / keep"),
                bytes("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n" + GET, "OTHER / keep", "GET / keep"),
                bytes(
                        "POST / HTTP/1.1\r\nHost: h\r\ncontent-length:  7 \r\n\r\nGET / X" + GET,
                        "OTHER / keep",
                        "GET / keep"),
                bytes(
                        "GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 007\r\n\r\n1234567" + GET,
                        "GET / keep",
                        "GET / keep"),
                bytes(chunked("0\r\n\r\n") + GET, "OTHER / keep", "GET / keep"),
                bytes(chunked("5\r\nhello\r\n0\r\n\r\n") + GET, "OTHER / keep", "GET / keep"),
                bytes(
                        chunked(
                                        "b;x=y\r\n0\r\n\r\nGET \r\n\r\n00B \t;z\r\n01234567890\r\n000\r\nX: y\r\nHost: again\r\n\r\n")
                                + GET,
                        "OTHER / keep",
                        "GET / keep"),
                bytes(
                        "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\nab" + GET,
                        "CONTINUE",
                        "OTHER / keep",
                        "GET / keep"),
                bytes(
                        "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nTransfer-Encoding: CHUNKED\r\n\r\n0\r\n\r\n",
                        "CONTINUE",
                        "OTHER / keep"),
                bytes("GET / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n\r\n" + GET, "GET / keep", "GET / keep"),
                bytes("POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx", "OTHER / close"),
                bytes("GET / HTTP/1.0\r\nExpect: magic\r\n\r\n", "GET / close"),
                bytes("GET / HTTP/1.1\r\nHost: h\r\n"),
                bytes("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nab"),
                bytes(headOfLength(RequestHead.MOST_BYTES) + GET, "GET / keep", "GET / keep"));
    }

    static Stream<Arguments> refused() {
        String tooMuch = "99999999999999999999";
        Stream<String> bad = Stream.of(
                "hello\r\n",
                ofABrowser("/", "keep-alive\r\nHost: again"),
                ofABrowser("/", "keep-alive\r\nX: 12345678\u007f9"),
                ofABrowser("/", "keep-alive\r\nX: 1234567\u00018"),
                ofABrowser("/", "keep-alive\r\nX Y: 1"),
                ofABrowser("/", "keep-alive\r\n: 1"),
                ofABrowser("/", "keep-alive\r\nX: 1\nY: 1"),
                ofABrowser("/\u007f", "keep-alive"),
                ofABrowser("/", "keep-alive").replace("Host: localhost:8080", "Hast: h"),
                ofABrowser("/", "keep-alive").replace("localhost", "local\thost"),
                ofABrowser("/", "keep-alive").replace("localhost", "local/host"),
                " GET / HTTP/1.1\r\nHost: h\r\n\r\n",
                "\nGET / HTTP/1.1\r\nHost: h\r\n\r\n",
                "\rGET / HTTP/1.1\r\nHost: h\r\n\r\n",
                "\u0016\u0003\u0001",
                "GET  / HTTP/1.1\r\nHost: h\r\n\r\n",
                "GET /  HTTP/1.1\r\nHost: h\r\n\r\n",
                "GET / HTTP/1.1 \r\nHost: h\r\n\r\n",
                "GET /\r\n",
                "GET\r\n",
                "GET x HTTP/1.1\r\nHost: h\r\n\r\n",
                "GET http:/h HTTP/1.1\r\nHost: h\r\n\r\n",
                "GET httpss://h HTTP/1.1\r\nHost: h\r\n\r\n",
                "GET http:// HTTP/1.1\r\nHost: h\r\n\r\n",
                "GET http:///x HTTP/1.1\r\nHost: h\r\n\r\n",
                "GET http://u@h/ HTTP/1.1\r\nHost: h\r\n\r\n",
                "GET /\u00e9 HTTP/1.1\r\nHost: h\r\n\r\n",
                "GET /\u0000 HTTP/1.1\r\nHost: h\r\n\r\n",
                "GET * HTTP/1.1\r\nHost: h\r\n\r\n",
                "OPTIONS ** HTTP/1.1\r\nHost: h\r\n\r\n",
                "GET / http/1.1\r\nHost: h\r\n\r\n",
                "GET / HTTP/1\r\nHost: h\r\n\r\n",
                "GET / HTTP/1.10\r\nHost: h\r\n\r\n",
                "GET / HTTP/x.1\r\nHost: h\r\n\r\n",
                "GET / HTTP/1.1\nHost: h\r\n\r\n",
                "GET / HTTP/1.1\r\r\nHost: h\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: h\n\r\n",
                "GET / HTTP/1.1\r\nHost: h\rX: y\r\n\r\n",
                "GET / HTTP/1.1\r\nX: a\rb\r\nHost: h\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: h\r\n\rGET",
                "GET / HTTP/1.1\r\nHost: h\r\n\nGET",
                "GET / HTTP/1.1\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n",
                "GET / HTTP/1.1\r\n Host: h\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: h\r\n x\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: h\r\n\tx\r\n\r\n",
                "GET / HTTP/1.1\r\nHost : h\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: h\r\nX\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: h\r\n: x\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: h\r\nX(y): z\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: h\r\nX\u00e9: z\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: h\r\nX: \u0000\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: h\r\nX: \u007f\r\n\r\n",
                lengths("-1"),
                lengths("+1"),
                lengths(""),
                lengths("1x"),
                lengths("0x1"),
                lengths("1 1"),
                lengths("1, 1"),
                lengths(tooMuch),
                lengths("9223372036854775808"),
                lengths("1", "1"),
                lengths("1", "2"),
                "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n0\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
                "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                chunked("\r\n"),
                chunked("x\r\n"),
                chunked("-1\r\n"),
                chunked("5 5\r\nhello\r\n0\r\n\r\n"),
                chunked("5 \r\nhello\r\n0\r\n\r\n"),
                chunked("5\nhello\r\n0\r\n\r\n"),
                chunked("5\r\nhelloo\r\n0\r\n\r\n"),
                chunked("5\r\nhello\n0\r\n\r\n"),
                chunked("5;\u0000\r\nhello\r\n0\r\n\r\n"),
                chunked("ffffffffffffffff\r\n"),
                chunked("10000000000000000\r\n"),
                chunked("0\r\n x: y\r\n\r\n"),
                chunked("0\r\nx y\r\n\r\n"),
                chunked("0".repeat(ChunkedBody.MOST_LINE_BYTES)),
                chunked("1;" + "x".repeat(ChunkedBody.MOST_LINE_BYTES)));
        return Stream.concat(
                bad.map(text -> bytes(text, "REFUSED 400")),
                Stream.of(
                        bytes(GET + "x\r\n" + GET, "GET / keep", "REFUSED 400"),
                        bytes("GET / HTTP/2.0\r\nHost: h\r\n\r\n", "REFUSED 505"),
                        bytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "REFUSED 505"),
                        bytes("GET / HTTP/0.9\r\n\r\n", "REFUSED 505"),
                        bytes("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", "REFUSED 501"),
                        bytes("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\n\r\n", "REFUSED 501"),
                        bytes("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunkedd\r\n\r\n", "REFUSED 501"),
                        bytes("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding:\r\n\r\n", "REFUSED 501"),
                        bytes("GET / HTTP/1.1\r\nHost: h\r\nExpect: magic\r\n\r\n", "REFUSED 417"),
                        bytes(headOfLength(RequestHead.MOST_BYTES + 1), "REFUSED 431"),
                        bytes("G".repeat(20_000), "REFUSED 431"),
                        bytes("\r\n".repeat(10_000), "REFUSED 431"),
                        bytes("GET /" + "x".repeat(20_000), "REFUSED 431"),
                        bytes(chunked("0\r\nX: " + "y".repeat(20_000)), "REFUSED 431")));
    }

    private static String lengths(String... lengths) {
        StringBuilder head = new StringBuilder("POST / HTTP/1.1\r\nHost: h\r\n");
        for (String length : lengths) {
            head.append("Content-Length: ").append(length).append("\r\n");
        }
        return head + "\r\n";
    }

    private static String chunked(String body) {
        return "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + body;
    }

    private static String ofABrowser(String target, String connection) {
        return "GET " + target + " HTTP/1.1\r\n"
                + "Host: localhost:8080\r\n"
                + "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:109.0) Gecko/20100101 Firefox/115.0\r\n"
                + "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n"
                + "Accept-Language: en-US,en;q=0.5\r\n"
                + "Accept-Encoding: gzip, deflate\r\n"
                + "Connection: " + connection + "\r\n"
                + "Cookie: a=b\r\n"
                + "Upgrade-Insecure-Requests: 1\r\n\r\n";
    }

    private static String headOfLength(int length) {
        String start = "GET / HTTP/1.1\r\nHost: h\r\nX: ";
        return start + "y".repeat(length - start.length() - 4) + "\r\n\r\n";
    }

    @ParameterizedTest
    @MethodSource({"accepted", "refused"})
    void theEventsAreTheseHoweverTheBytesAreCut(String text, List<String> expected) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);

        assertThat(events(bytes, bytes.length)).isEqualTo(expected);
        assertThat(events(bytes, 1)).isEqualTo(expected);
        int step = Math.max(1, bytes.length / 500);
        for (int cut = 1; cut < bytes.length; cut += step) {
            List<String> events = new ArrayList<>();
            RequestParser parser = new RequestParser();
            feed(parser, bytes, 0, cut, events);
            feed(parser, bytes, cut, bytes.length, events);
            assertThat(events).as("cut at " + cut).isEqualTo(expected);
        }
    }

    @Test
    void bodiesLongerThanAnIntArePassedOver() {
        RequestParser parser = new RequestParser();
        List<String> events = new ArrayList<>();
        long length = 3L << 30;
        byte[] head = ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: " + length + "\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1);
        feed(parser, head, 0, head.length, events);
        byte[] piece = new byte[1 << 20];
        for (long sent = 0; sent < length; sent += piece.length) {
            assertThat(events).isEmpty();
            feed(parser, piece, 0, piece.length, events);
        }
        assertThat(events).containsExactly("OTHER / keep");
    }

    @Test
    void anyBytesEndInAnEventOrInMore() {
        Random random = new Random(20_240_601);
        List<Arguments> seeds = Stream.concat(accepted(), refused()).toList();
        for (int round = 0; round < 40_000; round++) {
            byte[] bytes =
                    ((String) seeds.get(random.nextInt(seeds.size())).get()[0]).getBytes(StandardCharsets.ISO_8859_1);
            if (bytes.length > 1000) {
                continue;
            }
            for (int i = random.nextInt(4); i > 0; i--) {
                bytes[random.nextInt(bytes.length)] = interesting(random);
            }
            List<String> whole = events(bytes, bytes.length);
            assertThat(events(bytes, 1 + random.nextInt(9))).isEqualTo(whole);
            assertThat(whole).hasSizeLessThanOrEqualTo(bytes.length / 16 + 2);
        }
    }

    private static byte interesting(Random random) {
        String bytes = "\r\n \t:,;0159afHhCc/*?-\u0000\u007f\u00ff";
        return random.nextBoolean() ? (byte) random.nextInt() : (byte) bytes.charAt(random.nextInt(bytes.length()));
    }

    private static List<String> events(byte[] bytes, int pieceLength) {
        RequestParser parser = new RequestParser();
        List<String> events = new ArrayList<>();
        for (int from = 0; from < bytes.length; from += pieceLength) {
            feed(parser, bytes, from, Math.min(bytes.length, from + pieceLength), events);
        }
        return events;
    }

    private static void feed(RequestParser parser, byte[] bytes, int from, int to, List<String> events) {
        int position = from;
        while (true) {
            int event = parser.parse(bytes, position, to);
            assertThat(parser.position()).isBetween(position, to);
            if (event == RequestParser.MORE) {
                assertThat(parser.position()).isEqualTo(to);
                return;
            }
            assertThat(parser.position()).isGreaterThan(position);
            position = parser.position();
            String described = describe(parser, event);
            if (event == RequestParser.REFUSED) {
                // Once is enough: what follows is refused as well.
                if (events.isEmpty() || !events.get(events.size() - 1).equals(described)) {
                    events.add(described);
                }
                return;
            }
            assertThat(events).doesNotContain("REFUSED 400");
            events.add(described);
        }
    }

    private static String describe(RequestParser parser, int event) {
        RequestHead head = parser.head();
        return switch (event) {
            case RequestParser.CONTINUE -> "CONTINUE";
            case RequestParser.REFUSED -> "REFUSED " + parser.status();
            default ->
                (head.isGet() ? "GET" : head.isHead() ? "HEAD" : "OTHER")
                        + (head.isRoot() ? " /" : head.isWithoutPath() ? " none" : " other")
                        + (head.isKeepAlive() ? " keep" : " close");
        };
    }
}
