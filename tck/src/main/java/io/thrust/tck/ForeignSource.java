package io.thrust.tck;

import io.thrust.poll.Availability;
import io.thrust.poll.ConnectOptions;
import io.thrust.poll.InputSource;
import io.thrust.poll.Interest;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.Mode;
import io.thrust.poll.PipePair;
import io.thrust.poll.Poller;
import io.thrust.poll.PollerProvider;
import io.thrust.poll.StreamSource;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Set;

/** A source of a provider that no poller knows. */
final class ForeignSource implements InputSource {
    static final String PROVIDER_NAME = "tck-foreign";

    @Override
    public PollerProvider provider() {
        return new Provider();
    }

    @Override
    public Interest directions() {
        return Interest.READ;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void close() {}

    @Override
    public int read(ByteBuffer dst) {
        return WOULD_BLOCK;
    }

    @Override
    public boolean isDrainedByShortRead() {
        return false;
    }

    @Override
    public String toString() {
        return "foreign source";
    }

    /** It is never asked to open anything. */
    private static final class Provider implements PollerProvider {
        @Override
        public String name() {
            return PROVIDER_NAME;
        }

        @Override
        public int priority() {
            return Integer.MIN_VALUE;
        }

        @Override
        public Availability availability() {
            return Availability.unavailable("it exists to be refused", null);
        }

        @Override
        public Set<Mode> modes() {
            return Set.of(Mode.EDGE);
        }

        @Override
        public Poller openPoller(int batchCapacity) {
            throw new UnsupportedOperationException("it exists to be refused");
        }

        @Override
        public ListenerSource listen(SocketAddress local, ListenOptions options) {
            throw new UnsupportedOperationException("it exists to be refused");
        }

        @Override
        public StreamSource connect(SocketAddress remote, ConnectOptions options) {
            throw new UnsupportedOperationException("it exists to be refused");
        }

        @Override
        public PipePair pipe() {
            throw new UnsupportedOperationException("it exists to be refused");
        }
    }
}
