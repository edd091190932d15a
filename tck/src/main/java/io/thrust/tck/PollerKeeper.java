package io.thrust.tck;

import io.thrust.poll.Availability;
import io.thrust.poll.ConnectOptions;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.Mode;
import io.thrust.poll.PipePair;
import io.thrust.poll.Poller;
import io.thrust.poll.PollerProvider;
import io.thrust.poll.StreamSource;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.List;
import java.util.Set;

/** The provider under test, all of whose pollers are kept: a loop shows its own to nobody. */
final class PollerKeeper implements PollerProvider {
    private final PollerProvider provider;

    private final List<Poller> opened;

    PollerKeeper(PollerProvider provider, List<Poller> opened) {
        this.provider = provider;
        this.opened = opened;
    }

    @Override
    public String name() {
        return provider.name();
    }

    @Override
    public int priority() {
        return provider.priority();
    }

    @Override
    public Availability availability() {
        return provider.availability();
    }

    @Override
    public Set<Mode> modes() {
        return provider.modes();
    }

    @Override
    public Poller openPoller(int batchCapacity) throws IOException {
        Poller poller = provider.openPoller(batchCapacity);
        opened.add(poller);
        return poller;
    }

    @Override
    public ListenerSource listen(SocketAddress local, ListenOptions options) throws IOException {
        return provider.listen(local, options);
    }

    @Override
    public StreamSource connect(SocketAddress remote, ConnectOptions options) throws IOException {
        return provider.connect(remote, options);
    }

    @Override
    public PipePair pipe() throws IOException {
        return provider.pipe();
    }
}
