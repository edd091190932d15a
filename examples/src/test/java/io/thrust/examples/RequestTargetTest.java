package io.thrust.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The target is found in what was read, wherever that was cut. */
class RequestTargetTest {
    private final RequestTarget target = new RequestTarget();

    private String whole(String request) {
        byte[] bytes = Characters.ascii("?? " + request);
        target.clear();
        target.read(bytes, 3, bytes.length);
        return target.path(0);
    }

    @Test
    void itIsThePathWithoutTheQuery() {
        assertThat(whole("GET /a/b HTTP/1.1\r\nHost: h\r\n\r\n")).isEqualTo("/a/b");
        assertThat(whole("GET /a?b=/c HTTP/1.1\r\nHost: h\r\n\r\n")).isEqualTo("/a");
        assertThat(whole("\r\n\r\nDELETE / HTTP/1.1\r\nHost: h\r\n\r\n")).isEqualTo("/");
    }

    @Test
    void aSchemeAndAnAuthorityArePassedOver() {
        assertThat(whole("GET http://h:80/a/b?c HTTP/1.1\r\nHost: h\r\n\r\n")).isEqualTo("/a/b");
        assertThat(whole("GET http://h HTTP/1.1\r\nHost: h\r\n\r\n")).isEmpty();
        assertThat(whole("GET http://h?x/y HTTP/1.1\r\nHost: h\r\n\r\n")).isEmpty();
        assertThat(target.startsWith(Characters.ascii("/y"))).isFalse();
        assertThat(whole("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n")).isEmpty();
    }

    @Test
    void itMayBeCutAnywhere() {
        byte[] request = Characters.ascii("\r\nGET /a/b?c HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nGET /x HT");
        for (int first = 0; first <= request.length; first++) {
            for (int second = first; second <= request.length; second++) {
                target.clear();
                int start = 0;
                for (int cut : new int[] {first, second, request.length}) {
                    // Each piece is read to the same place, over the one before.
                    byte[] shared = Arrays.copyOfRange(request, start, cut);
                    target.read(shared, 0, shared.length);
                    target.keep();
                    Arrays.fill(shared, (byte) '!');
                    start = cut;
                }
                assertThat(target.path(2)).isEqualTo("/b");
                assertThat(target.startsWith(Characters.ascii("/a/"))).isTrue();
                assertThat(target.startsWith(Characters.ascii("/a/b?"))).isFalse();
            }
        }
    }
}
