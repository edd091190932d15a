package io.thrust.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EmbeddingExampleTest {
    @Test
    void theTextComesBack() throws Exception {
        String text = "Grüße ".repeat(10_000);
        assertThat(EmbeddingExample.echoOnce(text)).isEqualTo(text);
    }
}
