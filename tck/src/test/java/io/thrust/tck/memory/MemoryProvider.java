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
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The provider of pollers and sources in memory; correct unless it is given a fault. */
public class MemoryProvider implements PollerProvider {
    private static final int PIPE_CAPACITY = 16 << 10;

    private final MemoryNet net;
    private final @Nullable Fault fault;
    private final Set<Mode> modes;
    private int asked;

    /** A correct one. */
    public MemoryProvider() {
        this(Style.ARRIVAL, null);
    }

    /** One with a fault, or without. */
    @SuppressWarnings("this-escape") // the network only keeps it
    public MemoryProvider(Style style, @Nullable Fault fault) {
        this.fault = fault;
        this.net = new MemoryNet(this, style, fault);
        Set<Mode> set = fault == Fault.UNDECLARED_MODE_FALLS_BACK
                ? EnumSet.of(Mode.EDGE, Mode.LEVEL)
                : EnumSet.allOf(Mode.class);
        this.modes = fault == Fault.MODES_CAN_BE_CHANGED ? set : Set.copyOf(set);
    }

    @Override
    public String name() {
        return fault == Fault.NAME_IS_ILL_FORMED ? "Memory Poller" : "memory";
    }

    @Override
    public int priority() {
        return -1000;
    }

    @Override
    public Availability availability() {
        return fault == Fault.AVAILABILITY_CHANGES && ++asked % 4 == 0
                ? Availability.unavailable("not this time", null)
                : Availability.available();
    }

    @Override
    public Set<Mode> modes() {
        return modes;
    }

    @Override
    public Poller openPoller(int batchCapacity) {
        return new MemoryPoller(net, batchCapacity);
    }

    @Override
    public ListenerSource listen(SocketAddress local, ListenOptions options) throws IOException {
        return new MemoryListener(net, MemoryNet.checked(local), options);
    }

    @Override
    public StreamSource connect(SocketAddress remote, ConnectOptions options) throws IOException {
        InetSocketAddress address = MemoryNet.checked(remote);
        return new MemoryStream(net, address, options);
    }

    @Override
    public PipePair pipe() {
        ByteQueue queue = new ByteQueue(PIPE_CAPACITY);
        MemoryInput reader = new MemoryInput(net, queue);
        MemoryOutput writer = new MemoryOutput(net, queue, reader);
        reader.connect(writer);
        return new PipePair(reader, writer);
    }
}
