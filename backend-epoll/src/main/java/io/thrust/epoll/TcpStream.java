package io.thrust.epoll;

import io.netty.channel.ChannelException;
import io.netty.channel.epoll.LinuxSocket;
import io.netty.channel.unix.FileDescriptor;
import io.thrust.poll.spi.AddressText;
import io.thrust.poll.spi.StreamOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A TCP stream. */
final class TcpStream extends EpollStream {
    private final InetSocketAddress remote;
    private @Nullable InetSocketAddress local;

    TcpStream(EpollProvider provider, FileDescriptor fd, InetSocketAddress remote, boolean connected) {
        super(provider, fd, connected);
        this.remote = remote;
    }

    @Override
    boolean hasPeer(LinuxSocket socket) {
        return socket.remoteAddress() != null;
    }

    @Override
    String remoteText() {
        return AddressText.of(remote);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return StreamOptions.TCP;
    }

    @Override
    public boolean isDrainedByShortRead() {
        return true;
    }

    @Override
    public @Nullable InetSocketAddress localAddress() throws IOException {
        ensureOpen();
        return findLocal();
    }

    private @Nullable InetSocketAddress findLocal() {
        InetSocketAddress known = local;
        if (known == null) {
            InetSocketAddress found = socket().localAddress();
            known = found == null ? null : Addresses.plain(found);
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
                known = findLocal();
            } catch (ChannelException e) {
                // Closed meanwhile by its owner.
            }
        }
        return "tcp stream " + (known == null ? "?" : AddressText.of(known)) + "->" + AddressText.of(remote);
    }
}
