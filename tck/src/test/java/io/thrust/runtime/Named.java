package io.thrust.runtime;

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
import java.util.Set;

/** Another provider under its name or a title of its own, as the title of a test; for those that wrap its pollers, too. */
class Named implements PollerProvider {
    private final PollerProvider provider;
    private final String title;

    Named(PollerProvider provider) {
        this(provider, provider.name());
    }

    Named(PollerProvider provider, String title) {
        this.provider = provider;
        this.title = title;
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
        return provider.openPoller(batchCapacity);
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

    @Override
    public String toString() {
        return title;
    }
}
