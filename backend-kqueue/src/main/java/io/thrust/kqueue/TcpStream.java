package io.thrust.kqueue;

import io.thrust.poll.SourceClosedException;
import io.thrust.poll.spi.AddressText;
import io.thrust.poll.spi.StreamOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A TCP stream. */
final class TcpStream extends KqueueStream {
    private final InetSocketAddress remote;
    private @Nullable InetSocketAddress local;

    TcpStream(KqueueProvider provider, Kernel kernel, int fd, InetSocketAddress remote, boolean connected) {
        super(provider, kernel, fd, connected);
        this.remote = remote;
    }

    @Override
    String remoteText() {
        return AddressText.of(remote);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return StreamOptions.TCP;
    }

    /** Urgent data ends a read short of what lies behind it, and the event's count tells. */
    @Override
    public boolean isDrainedByShortRead() {
        return available <= 0;
    }

    @Override
    public @Nullable InetSocketAddress localAddress() throws IOException {
        enter();
        try {
            return findLocal();
        } finally {
            leave();
        }
    }

    private @Nullable InetSocketAddress findLocal() {
        InetSocketAddress known = local;
        if (known == null) {
            known = Sockets.localInet(kernel, fd);
            if (isConnected()) {
                local = known;
            }
        }
        return known;
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return remote;
    }

    @Override
    public String toString() {
        InetSocketAddress known = local;
        if (known == null && isOpen()) {
            try {
                known = localAddress();
            } catch (SourceClosedException e) {
                // By another thread, just now.
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
        return "tcp stream " + (known == null ? "?" : AddressText.of(known)) + "->" + AddressText.of(remote);
    }
}
