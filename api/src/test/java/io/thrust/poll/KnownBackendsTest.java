package io.thrust.poll;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Properties;
import org.junit.jupiter.api.Test;

class KnownBackendsTest {

    @Test
    void theTableNamesEveryBackendWithGroupArtifactAndVersion() {
        assertThat(KnownBackends.all())
                .extracting(KnownBackends.KnownBackend::name)
                .containsExactly("epoll", "kqueue", "nio");
        assertThat(KnownBackends.all()).allSatisfy(backend -> {
            assertThat(backend.coordinates()).matches("io\\.thrust:thrust-backend-" + backend.name() + ":\\d[\\w.-]+");
            assertThat(backend.packageName()).isEqualTo("io.thrust." + backend.name());
            assertThat(backend.systems()).isNotBlank();
        });
    }

    @Test
    void aVersionThatWasNotFilledInIsLeftOut() {
        Properties table = new Properties();
        table.setProperty("zebra.coordinates", "org.zoo:zebra:${project.version}");

        assertThat(KnownBackends.parse(table))
                .containsExactly(new KnownBackends.KnownBackend("zebra", "org.zoo:zebra", "", ""));
    }

    @Test
    void aClassIsRecognisedByItsPackage() {
        assertThat(KnownBackends.mentionedIn("io.thrust.nio.Any")).isEqualTo("nio");
        assertThat(KnownBackends.mentionedIn("Provider io.thrust.epoll.Any not found"))
                .isEqualTo("epoll");
        assertThat(KnownBackends.mentionedIn("com.example.Nio")).isNull();
    }
}
