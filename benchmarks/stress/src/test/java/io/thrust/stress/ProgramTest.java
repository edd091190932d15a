package io.thrust.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The harness knows the races, and its command line works with the libraries that it comes with. */
@Timeout(300)
class ProgramTest {
    @Test
    void itsHelpIsPrinted() throws Exception {
        assertThat(run("-h")).contains("Usage: ", " -t <regexp>").doesNotContain("Exception", "Error:");
    }

    @Test
    void anOptionThatDoesNotExistIsToldOf() throws Exception {
        assertThat(run("--no-such-option"))
                .contains("no-such-option", "Usage: ")
                .doesNotContain("\tat ");
    }

    @Test
    void theRacesAreInItsList() throws IOException {
        try (InputStream list = ProgramTest.class.getResourceAsStream("/META-INF/TestList")) {
            assertThat(list).isNotNull();
            assertThat(new String(list.readAllBytes(), StandardCharsets.UTF_8))
                    .contains(
                            WakeAgainstPark.class.getName(),
                            SendAgainstMailboxClose.class.getName(),
                            OffloadAgainstCancel.class.getName());
        }
    }

    private static String run(String option) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "org.openjdk.jcstress.Main", option));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return printed;
    }
}
