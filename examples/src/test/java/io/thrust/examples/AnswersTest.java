package io.thrust.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** A batch of answers is one buffer, and so one write. */
class AnswersTest {
    static final String HELLO =
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 13\r\n\r\nHello, World!";

    private final Answers answers = new Answers();

    @Test
    void theAnswerToGetRootHas78Bytes() {
        assertThat(text(answers.bytes(new byte[] {Answers.HELLO}, 0, 1, 0)))
                .isEqualTo(HELLO)
                .hasSize(78);
    }

    @Test
    void aBatchOfOneKindIsOneDirectBuffer() {
        ByteBuffer bytes = answers.bytes(new byte[800], 100, 800, 0);

        assertThat(bytes.isDirect()).isTrue();
        assertThat(text(bytes)).isEqualTo(HELLO.repeat(700));
    }

    @Test
    void aBatchOfSeveralKindsIsOneDirectBufferInTheirOrder() {
        byte missing = Answers.kind(404, false, false);
        byte[] kinds = {Answers.HELLO, Answers.HELLO, missing, Answers.CONTINUE, Answers.HELLO};
        ByteBuffer bytes = answers.bytes(kinds, 1, kinds.length, 70);

        assertThat(bytes.isDirect()).isTrue();
        assertThat(text(bytes))
                .isEqualTo(HELLO.substring(70) + text(answers.bytes(new byte[] {missing}, 0, 1, 0))
                        + "HTTP/1.1 100 Continue\r\n\r\n" + HELLO);
    }

    @Test
    void aBatchThatIsTooLongBeginsWithWholeAnswers() {
        byte[] kinds = new byte[5000];
        assertThat(text(answers.bytes(kinds, 0, kinds.length, 0))).matches("(?s)(" + HELLO + "){800,}");
        Arrays.fill(kinds, Answers.kind(404, true, false));
        assertThat(text(answers.bytes(kinds, 0, kinds.length, 0)))
                .startsWith("HTTP/1.1 404 ")
                .endsWith("\r\n\r\n");
    }

    @Test
    void theLengthsAreThoseOfTheBodies() {
        for (int status : new int[] {200, 404, 405, 400, 417, 431, 501, 505}) {
            for (boolean close : new boolean[] {false, true}) {
                byte kind = Answers.kind(status, false, close);
                String answer = text(answers.bytes(new byte[] {kind}, 0, 1, 0));
                String head = answer.substring(0, answer.indexOf("\r\n\r\n") + 4);
                assertThat(answer).hasSize(Answers.length(kind)).startsWith("HTTP/1.1 " + status + " ");
                assertThat(head).contains("Content-Length: " + (answer.length() - head.length()) + "\r\n");
                assertThat(head.contains("Connection: close\r\n")).isEqualTo(close);
                assertThat(Answers.isLast(kind)).isEqualTo(close);
                assertThat(text(answers.bytes(new byte[] {Answers.kind(status, true, close)}, 0, 1, 0)))
                        .isEqualTo(head);
            }
        }
    }

    private static String text(ByteBuffer bytes) {
        return StandardCharsets.ISO_8859_1.decode(bytes).toString();
    }
}
