package io.thrust.nio;

import io.thrust.poll.Availability;
import io.thrust.poll.ConnectOptions;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.Mode;
import io.thrust.poll.PipePair;
import io.thrust.poll.Poller;
import io.thrust.poll.PollerProvider;
import io.thrust.poll.Source;
import io.thrust.poll.SourceClosedException;
import io.thrust.poll.StreamSource;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The backend over {@link Selector}, named {@code nio}: works on every system that has a JDK, and is chosen when there
 * is none of the system's own (priority 0).
 *
 * <p>It has all three modes, although a selector is level-triggered: what was reported is masked and, by {@link
 * Poller#rearm} or {@link Poller#modify}, looked at anew. So in {@link Mode#EDGE} data that arrives after a partial read
 * is <em>not</em> reported without a rearm. A selector does not tell hang-ups from other readiness: {@link
 * io.thrust.poll.ReadyEvents#isHangup} is true only for a connect that failed and for a channel that was closed behind
 * the back of its source; nothing is lost by that, as each rearm looks at the readiness anew.
 *
 * <p>A connection that is closed while dozens of sources are ready is shut down at once, and may keep its descriptor until
 * the next poll: a selector lets go of a channel by a select only, and one for each would find all the others again.
 *
 * <p>Addresses are those of TCP ({@link java.net.InetSocketAddress}) and of Unix domain sockets ({@link
 * java.net.UnixDomainSocketAddress}), where the JDK has them. The file of a Unix domain listener is removed when the
 * listener is closed; one that exists before is never removed, and listening there fails.
 */
public final class NioProvider implements PollerProvider {
    private static final Set<Mode> MODES = Collections.unmodifiableSet(EnumSet.allOf(Mode.class));

    static {
        // Loaded now: it is needed when there is no descriptor left to load it with.
        NioErrors.map("load", new IOException("Too many open files"));
    }

    /** Creates the provider; nothing is opened. */
    public NioProvider() {}

    @Override
    public String name() {
        return "nio";
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
        return MODES;
    }

    @Override
    public Poller openPoller(int batchCapacity) throws IOException {
        LoadedChannels.load();
        return new NioPoller(this, batchCapacity, Selector::open);
    }

    @Override
    public ListenerSource listen(SocketAddress local, ListenOptions options) throws IOException {
        return NioListener.listen(this, local, options);
    }

    @Override
    public StreamSource connect(SocketAddress remote, ConnectOptions options) throws IOException {
        return NioStream.connect(this, remote, options);
    }

    @Override
    public PipePair pipe() throws IOException {
        Pipe pipe;
        try {
            pipe = Pipe.open();
        } catch (IOException e) {
            throw NioErrors.map("open a pipe", e);
        }
        boolean done = false;
        try {
            pipe.source().configureBlocking(false);
            pipe.sink().configureBlocking(false);
            PipePair pair = new PipePair(
                    new NioPipeReader(this, pipe.source(), false), new NioPipeWriter(this, pipe.sink(), false));
            done = true;
            return pair;
        } finally {
            if (!done) {
                try (Pipe.SourceChannel source = pipe.source()) {
                    pipe.sink().close();
                }
            }
        }
    }

    /**
     * Makes a source of a channel of the caller's own, so that pollers of this provider can watch it. The channel is
     * borrowed: closing the source deregisters it and leaves the channel open, and the channel is to be closed after
     * the source. While the source is registered the channel must stay in non-blocking mode.
     *
     * <p>A {@link SocketChannel} that is connected or connecting becomes a {@link StreamSource} (to be asked by its own
     * {@link StreamSource#finishConnect finishConnect}, not that of the channel), a bound {@link ServerSocketChannel} a
     * {@link ListenerSource}, the ends of a {@link Pipe} an {@link io.thrust.poll.InputSource} and an {@link
     * io.thrust.poll.OutputSource}. A channel of another kind, a {@link java.nio.channels.DatagramChannel} for example,
     * becomes a plain {@link Source} that is watched, while the caller operates the channel. Nothing about the channel
     * is changed.
     *
     * @throws IllegalArgumentException if the channel is in blocking mode, was made by another {@link SelectorProvider}
     *     than that of the JDK's selectors, or is a socket that is not bound or connected
     * @throws SourceClosedException if the channel is closed
     */
    public Source adopt(SelectableChannel channel) throws IOException {
        Objects.requireNonNull(channel, "channel");
        SelectorProvider expected = SelectorProvider.provider();
        if (channel.provider() != expected) {
            throw new IllegalArgumentException(channel + " was made by selector provider " + channel.provider()
                    + ", but the selectors of provider \"nio\" are made by " + expected
                    + " and watch its channels only; open the channel with that one");
        }
        if (!channel.isOpen()) {
            throw new SourceClosedException(channel + " is closed and cannot be adopted");
        }
        if (channel.isBlocking()) {
            throw new IllegalArgumentException(channel
                    + " is in blocking mode, but a source never blocks; call configureBlocking(false) before adopt");
        }
        if (channel instanceof SocketChannel socket) {
            if (!socket.isConnected() && !socket.isConnectionPending()) {
                throw new IllegalArgumentException(channel + " is not connected; call connect before adopt");
            }
            return NioStream.adopted(this, socket, known(socket.getRemoteAddress(), channel));
        }
        if (channel instanceof ServerSocketChannel socket) {
            return NioListener.adopted(this, socket, known(socket.getLocalAddress(), channel));
        }
        if (channel instanceof Pipe.SourceChannel pipe) {
            return new NioPipeReader(this, pipe, true);
        }
        if (channel instanceof Pipe.SinkChannel pipe) {
            return new NioPipeWriter(this, pipe, true);
        }
        return new NioChannelSource(this, channel);
    }

    private static SocketAddress known(@Nullable SocketAddress address, SelectableChannel channel) {
        if (address == null) {
            throw new IllegalArgumentException(channel + " has no address; call bind before adopt");
        }
        return address;
    }
}
