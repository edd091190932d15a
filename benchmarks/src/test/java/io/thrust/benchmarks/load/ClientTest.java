package io.thrust.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What the driver understands, apart from measuring. */
class ClientTest {
    private static final String WRK = """
            Running 10s test @ http://127.0.0.1:8080/
              1 threads and 100 connections
              Thread Stats   Avg      Stdev     Max   +/- Stdev
                Latency     1.70ms    1.29ms  19.93ms   87.06%
                Req/Sec    24.13k     3.26k   27.19k    89.00%
              Latency Distribution
                 50%  401.00us
                 75%    1.25ms
                 90%    1.02s
                 99%    2.00m
              241019 requests in 10.04s, 22.30MB read
            Requests/sec:  23994.38
            Transfer/sec:      2.22MB
            """;

    @Test
    void whatWrkPrintsIsUnderstood() {
        assertThat(Client.readWrk(WRK)).isEqualTo(new Outcome(241_019, 10.04, 401, 1250, 1_020_000, 120_000_000, ""));
    }

    @Test
    void errorsThatWrkPrintsAreKept() {
        String text =
                WRK + "  Socket errors: connect 0, read 3, write 0, timeout 1\n" + "  Non-2xx or 3xx responses: 7\n";

        assertThat(Client.readWrk(text).errors())
                .isEqualTo("Socket errors: connect 0, read 3, write 0, timeout 1; Non-2xx or 3xx responses: 7");
    }

    @Test
    void whatWrkDoesNotPrintIsAnError() {
        assertThatThrownBy(() -> Client.readWrk("unable to connect")).hasMessageContaining("unable to connect");
    }

    @Test
    void aLoadIsAKindAndANumber() {
        assertThat(Load.parse("idle:10000").active()).isEqualTo(Load.ACTIVE_BESIDE_IDLE);
        assertThat(Load.parse("echo:64").mode()).isEqualTo("echo");
        for (String wrong : List.of("http", "http:0", "http:-1", "ftp:1", "http:1:2", "http:999999")) {
            assertThatThrownBy(() -> Load.parse(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("\"" + wrong + "\"")
                    .hasMessageContaining("http:64");
        }
    }

    @Test
    void theMedianIsInTheMiddle() {
        assertThat(Median.of(List.of(9.0, 1.0, 2.0), value -> value)).isEqualTo(2);
        assertThat(Median.of(List.of(9.0, 1.0, 2.0, 4.0), value -> value)).isEqualTo(3);
    }
}
