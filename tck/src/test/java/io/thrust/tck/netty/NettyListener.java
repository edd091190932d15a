package io.thrust.tck.netty;

import io.netty.channel.ChannelException;
import io.netty.channel.unix.Socket;
import io.thrust.poll.Interest;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.StreamSource;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import org.jspecify.annotations.Nullable;

/** A listening socket. */
final class NettyListener extends NettySource implements ListenerSource {
    /** How many connections in a row that are gone already one call passes over before it reports the failure. */
    private static final int MAX_PASSED_OVER = 64;

    private final NettyKqueueProvider provider;
    private final Socket socket;
    private final SocketAddress local;
    private final @Nullable NettySocketFile file;
    /** Where the native call puts the peer's address, of which use is made of none: the stream is asked. */
    private final byte[] peer = new byte[26];

    NettyListener(NettyKqueueProvider provider, Socket socket, SocketAddress local, @Nullable NettySocketFile file) {
        super(provider, socket);
        this.provider = provider;
        this.socket = socket;
        this.local = local;
        this.file = file;
    }

    @Override
    public Interest directions() {
        return Interest.READ;
    }

    @Override
    public @Nullable StreamSource accept() throws IOException {
        ensureOpen();
        for (int passedOver = 0; ; passedOver++) {
            try {
                int fd = socket.accept(peer);
                if (fd < 0) {
                    return null;
                }
                StreamSource stream = accepted(new Socket(fd));
                if (stream != null) {
                    return stream;
                }
            } catch (IOException | ChannelException e) {
                if (passedOver >= MAX_PASSED_OVER || !NettyErrors.concernsOneConnection(e)) {
                    throw NettyErrors.of("accept on " + this, e);
                }
            }
        }
    }

    /** The stream, or null if the peer has reset it already, so that the system knows it no more. */
    private @Nullable StreamSource accepted(Socket accepted) throws IOException {
        if (local instanceof UnixDomainSocketAddress path) {
            UnixDomainSocketAddress remote = NettySockets.unix(accepted.remoteDomainSocketAddress());
            return new NettyStream(provider, accepted, remote, path, null, true);
        }
        SocketAddress remote = NettySockets.plain(accepted.remoteAddress());
        if (remote == null) {
            accepted.close();
            return null;
        }
        return new NettyStream(provider, accepted, remote, null, null, true);
    }

    @Override
    public SocketAddress localAddress() throws IOException {
        ensureOpen();
        return local;
    }

    @Override
    protected void release() throws IOException {
        try {
            NettySocketFile.delete(file);
        } finally {
            super.release();
        }
    }

    @Override
    public String toString() {
        return (local instanceof UnixDomainSocketAddress ? "unix" : "tcp") + " listener " + NettySockets.text(local);
    }
}
