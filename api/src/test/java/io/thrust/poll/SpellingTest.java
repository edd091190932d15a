package io.thrust.poll;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpellingTest {
    private static final List<String> NAMES = List.of("epoll", "kqueue", "nio");

    @ParameterizedTest
    @CsvSource({"epol,epoll", "e-poll,epoll", "eplol,epoll", "kqeue,kqueue", "qkueeu,kqueue", "neo,nio"})
    void aSlipIsRecognised(String word, String meant) {
        assertThat(Spelling.nearest(word, NAMES)).isEqualTo(meant);
    }

    @ParameterizedTest
    @CsvSource({"foo", "select", "io_uring", "kq", "n"})
    void anotherWordIsNot(String word) {
        assertThat(Spelling.nearest(word, NAMES)).isNull();
    }

    @ParameterizedTest
    @CsvSource({"'',abc,3", "abc,'',3", "abc,abc,0", "abc,acb,1", "abc,axc,1", "abc,ab,1", "kitten,sitting,3"})
    void distanceCountsInsertionsDeletionsReplacementsAndSwaps(String a, String b, int distance) {
        assertThat(Spelling.distance(a, b)).isEqualTo(distance);
        assertThat(Spelling.distance(b, a)).isEqualTo(distance);
    }
}
