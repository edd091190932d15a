package io.thrust.kqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thrust.poll.ConnectOptions;
import io.thrust.poll.DiscoveredProvider;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.Mode;
import io.thrust.poll.PollerSelectionException;
import io.thrust.poll.Pollers;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KqueueProviderTest {
    private final KqueueProvider provider = new KqueueProvider();

    @Test
    void itIsInstalledAsAServiceAndSaysWhatItIs() {
        List<DiscoveredProvider> found = Pollers.discover();

        assertThat(found).hasSize(1);
        DiscoveredProvider kqueue = found.get(0);
        assertThat(kqueue.provider()).isInstanceOf(KqueueProvider.class);
        assertThat(kqueue.name()).isEqualTo("kqueue");
        assertThat(kqueue.priority()).isEqualTo(100);
        assertThat(kqueue.modes()).containsExactlyInAnyOrder(Mode.EDGE, Mode.LEVEL, Mode.ONE_SHOT);
        assertThat(kqueue.isAvailable()).isFalse();
    }

    @Test
    void onLinuxItPointsToEpollAndNio() {
        assertThat(KqueueProvider.reason("Linux"))
                .isEqualTo("this version of thrust-backend-kqueue has no poller yet; on Linux use epoll"
                        + " (thrust-backend-epoll) or nio (thrust-backend-nio)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Mac OS X", "FreeBSD", "NetBSD", "OpenBSD", "Windows 11"})
    void elsewhereItPointsToNioAlone(String system) {
        assertThat(KqueueProvider.reason(system))
                .isEqualTo("this version of thrust-backend-kqueue has no poller yet; on " + system
                        + " use nio (thrust-backend-nio)");
    }

    @Test
    void theAnswerStaysTheSame() {
        assertThat(provider.availability().reason()).isEqualTo(KqueueProvider.reason(System.getProperty("os.name")));
        assertThat(new KqueueProvider().availability()).isSameAs(provider.availability());
    }

    @Test
    void everythingThatWouldOpenSomethingThrowsWithTheReason() {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        List<ThrowingCallable> openings = List.of(
                () -> provider.openPoller(1),
                () -> provider.listen(address, ListenOptions.DEFAULT),
                () -> provider.connect(address, ConnectOptions.DEFAULT),
                provider::pipe);

        assertThat(openings)
                .allSatisfy(opening -> assertThatThrownBy(opening)
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining("\"kqueue\"")
                        .hasMessageContaining(provider.availability().reason()));
    }

    @Test
    void askedForByNameItFailsWithTheReason() {
        assertThatThrownBy(() -> Pollers.select("kqueue"))
                .isInstanceOf(PollerSelectionException.class)
                .hasMessageStartingWith("The poller provider \"kqueue\" is not available")
                .hasMessageContaining(provider.availability().reason());
    }

    @Test
    void noNativeCodeIsInTheWay() {
        assertThat(provider.availability().cause()).isNull();
    }
}
