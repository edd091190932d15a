package io.thrust.poll.spi;

import io.thrust.poll.Availability;
import io.thrust.poll.ConnectOptions;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.Mode;
import io.thrust.poll.PipePair;
import io.thrust.poll.PollerProvider;
import io.thrust.poll.StreamSource;
import java.net.SocketAddress;
import java.util.EnumSet;
import java.util.Set;

/** Opens fakes. */
public final class FakeProvider implements PollerProvider {
    private final String name;
    public final Set<Mode> modes = EnumSet.allOf(Mode.class);
    /** What {@link #connect} and {@link #listen} return next. */
    public FakeSource next = new FakeSource(this, "unset");

    /** The one that {@link #openPoller} opened last. */
    public FakePoller poller;

    public FakeProvider() {
        this("fake");
    }

    public FakeProvider(String name) {
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int priority() {
        return 0;
    }

    @Override
    public Availability availability() {
        return Availability.available();
    }

    @Override
    public Set<Mode> modes() {
        return modes;
    }

    @Override
    public FakePoller openPoller(int batchCapacity) {
        poller = new FakePoller(this, batchCapacity);
        return poller;
    }

    @Override
    public ListenerSource listen(SocketAddress local, ListenOptions options) {
        return next;
    }

    @Override
    public StreamSource connect(SocketAddress remote, ConnectOptions options) {
        return next;
    }

    @Override
    public PipePair pipe() {
        throw new UnsupportedOperationException("no pipes");
    }
}
