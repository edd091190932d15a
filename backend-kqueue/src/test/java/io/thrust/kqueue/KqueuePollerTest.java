package io.thrust.kqueue;

import static io.thrust.backend.Net.PATIENCE;
import static io.thrust.backend.Net.SILENCE;
import static org.assertj.core.api.Assertions.assertThat;

import io.thrust.backend.AbstractPollingTest;
import io.thrust.backend.Net;
import io.thrust.poll.PipePair;
import io.thrust.poll.Poller;
import io.thrust.poll.PollerProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class KqueuePollerTest extends AbstractPollingTest {
    @Override
    protected PollerProvider provider() {
        return Fixture.provider();
    }

    /** Native memory is invisible to the collector: without free it would stay for ever. */
    @Test
    void memoryAndDescriptorsAreFlatOverManyPollersAndPolls() throws Exception {
        openPollAndClose(500);
        long memoryBefore = addressSpaceKilobytes();
        int before = Net.openDescriptors();
        openPollAndClose(5_000);
        assertThat(Net.openDescriptors()).isEqualTo(before);
        // The list of events of each poller has 512 KB. The heap has its addresses from the start.
        assertThat(addressSpaceKilobytes() - memoryBefore).isLessThan(5_000 * 512 / 4);
    }

    private void openPollAndClose(int pollers) throws IOException {
        for (int i = 0; i < pollers; i++) {
            try (Poller poller = provider().openPoller(1 << 14)) {
                for (int j = 0; j < 20; j++) {
                    assertThat(poller.poll(0)).isZero();
                }
            }
        }
    }

    private static long addressSpaceKilobytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmSize:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }

    /** So are the filters of a source that comes and goes. */
    @Test
    void tokensOfPastRegistrationsFindNothing() throws Exception {
        PipePair pipe = provider().pipe();
        SourceTable table = new SourceTable();
        List<KqueueSource> sources = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            KqueueSource source = (KqueueSource) Fixture.provider().adopt(i);
            sources.add(source);
            table.add(source);
            assertThat(source.token).isNotZero();
        }
        long past = sources.get(42).token;
        table.remove(sources.get(42));
        assertThat(table.get(past)).isNull();
        table.add((KqueueSource) pipe.reader());
        assertThat(((KqueueSource) pipe.reader()).token).isNotEqualTo(past);
        assertThat(table.get(past)).isNull();
        assertThat(table.get(((KqueueSource) pipe.reader()).token)).isSameAs(pipe.reader());
        assertThat(table.get(0)).isNull();
        assertThat(table.get(-1)).isNull();
        assertThat(table.get(sources.get(99).token)).isSameAs(sources.get(99));
        pipe.reader().close();
        pipe.writer().close();
    }

    @Test
    void eachLayoutWaitsAndWakes() throws Exception {
        for (int layout : Fixture.LAYOUTS) {
            ExecutorService other = Executors.newSingleThreadExecutor();
            try (Poller poller = Fixture.provider(layout).openPoller(1)) {
                long start = System.nanoTime();
                assertThat(poller.poll(SILENCE)).isZero();
                assertThat(System.nanoTime() - start).isBetween(SILENCE, PATIENCE);
                Future<?> woken = other.submit(poller::wakeup);
                assertThat(poller.poll(Poller.FOREVER)).isZero();
                woken.get();
            } finally {
                other.shutdownNow();
            }
        }
    }
}
