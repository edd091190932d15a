package io.thrust.kqueue;

import io.thrust.poll.SourceClosedException;
import java.io.IOException;
import java.net.InetSocketAddress;
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
        return Addresses.text(remote);
    }

    @Override
    SocketOptions options() {
        return SocketOptions.TCP;
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
        return "tcp stream " + (known == null ? "?" : Addresses.text(known)) + "->" + Addresses.text(remote);
    }
}
