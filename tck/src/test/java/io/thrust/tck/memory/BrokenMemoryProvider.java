package io.thrust.tck.memory;

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

/** A provider with a fault that a services file can name. */
public final class BrokenMemoryProvider implements PollerProvider {
    private final MemoryProvider faulty = new MemoryProvider(Style.ARRIVAL, Fault.EDGE_REPEATS);

    @Override
    public String name() {
        return "memory-broken";
    }

    @Override
    public int priority() {
        return faulty.priority();
    }

    @Override
    public Availability availability() {
        return faulty.availability();
    }

    @Override
    public Set<Mode> modes() {
        return faulty.modes();
    }

    @Override
    public Poller openPoller(int batchCapacity) {
        return faulty.openPoller(batchCapacity);
    }

    @Override
    public ListenerSource listen(SocketAddress local, ListenOptions options) throws IOException {
        return faulty.listen(local, options);
    }

    @Override
    public StreamSource connect(SocketAddress remote, ConnectOptions options) throws IOException {
        return faulty.connect(remote, options);
    }

    @Override
    public PipePair pipe() {
        return faulty.pipe();
    }
}
