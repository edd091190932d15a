package io.thrust.epoll;

import io.netty.channel.epoll.LinuxSocket;
import io.netty.channel.unix.FileDescriptor;
import io.thrust.poll.spi.AddressText;
import io.thrust.poll.spi.StreamOptions;
import io.thrust.poll.spi.UnixSocketFile;
import java.io.IOException;
import java.net.SocketOption;
import java.net.UnixDomainSocketAddress;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A Unix domain stream. */
final class UnixStream extends EpollStream {
    private final UnixDomainSocketAddress local;
    private final UnixDomainSocketAddress remote;
    private final @Nullable UnixSocketFile file;

    /** @param file the file that this stream is bound to itself, or null */
    UnixStream(
            EpollProvider provider,
            FileDescriptor fd,
            UnixDomainSocketAddress local,
            UnixDomainSocketAddress remote,
            boolean connected,
            @Nullable UnixSocketFile file) {
        super(provider, fd, connected);
        this.local = local;
        this.remote = remote;
        this.file = file;
    }

    @Override
    boolean hasPeer(LinuxSocket socket) {
        return socket.remoteDomainSocketAddress() != null;
    }

    @Override
    String remoteText() {
        return AddressText.of(remote);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return StreamOptions.UNIX;
    }

    @Override
    public boolean isDrainedByShortRead() {
        return false;
    }

    @Override
    public UnixDomainSocketAddress localAddress() throws IOException {
        ensureOpen();
        return local;
    }

    @Override
    public UnixDomainSocketAddress remoteAddress() {
        return remote;
    }

    @Override
    protected void release() throws IOException {
        try {
            UnixSocketFile.delete(file);
        } finally {
            super.release();
        }
    }

    @Override
    public String toString() {
        return "unix stream " + AddressText.of(local) + "->" + AddressText.of(remote);
    }
}
