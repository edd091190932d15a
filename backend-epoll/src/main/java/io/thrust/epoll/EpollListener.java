package io.thrust.epoll;

import io.netty.channel.ChannelException;
import io.netty.channel.epoll.LinuxSocket;
import io.netty.channel.unix.FileDescriptor;
import io.netty.channel.unix.NativeInetAddress;
import io.thrust.poll.Interest;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.StreamSource;
import io.thrust.poll.spi.AddressText;
import io.thrust.poll.spi.UnixSocketFile;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import org.jspecify.annotations.Nullable;

/** A listening socket. On Linux what it accepts inherits its no-delay and buffer sizes: one system call accepts. */
abstract class EpollListener extends EpollSource implements ListenerSource {
    /** How many connections in a row that are gone already one call passes over before it reports the failure. */
    private static final int MAX_PASSED_OVER = 64;

    final EpollProvider provider;
    final LinuxSocket socket;
    /** Where the system puts the peer's address: its length, then its bytes. */
    final byte[] peer = new byte[26];

    private EpollListener(EpollProvider provider, LinuxSocket socket) {
        super(provider, socket);
        this.provider = provider;
        this.socket = socket;
    }

    abstract StreamSource accepted(int fd) throws IOException;

    @Override
    public final Interest directions() {
        return Interest.READ;
    }

    @Override
    public final @Nullable StreamSource accept() throws IOException {
        ensureOpen();
        int fd = acceptDescriptor();
        if (fd < 0) {
            return null;
        }
        StreamSource stream = null;
        try {
            stream = accepted(fd);
            return stream;
        } catch (ChannelException e) {
            throw Failures.of("accept on " + this, e);
        } finally {
            if (stream == null) {
                new FileDescriptor(fd).close();
            }
        }
    }

    private int acceptDescriptor() throws IOException {
        for (int passedOver = 0; ; passedOver++) {
            try {
                return socket.accept(peer);
            } catch (IOException e) {
                if (passedOver >= MAX_PASSED_OVER || !Failures.concernsOneConnection(e)) {
                    throw Failures.of("accept on " + this, e);
                }
            }
        }
    }

    /** Listens on a TCP port. */
    static final class Tcp extends EpollListener {
        private final InetSocketAddress local;

        Tcp(EpollProvider provider, LinuxSocket socket, InetSocketAddress local) {
            super(provider, socket);
            this.local = local;
        }

        @Override
        StreamSource accepted(int fd) {
            InetSocketAddress remote = Addresses.plain(NativeInetAddress.address(peer, 1, peer[0]));
            return new TcpStream(provider, new FileDescriptor(fd), remote, true);
        }

        @Override
        public SocketAddress localAddress() throws IOException {
            ensureOpen();
            return local;
        }

        @Override
        public String toString() {
            return "tcp listener " + AddressText.of(local);
        }
    }

    /** Listens on a path; its socket file goes when it is closed. */
    static final class Unix extends EpollListener {
        private final UnixDomainSocketAddress local;
        private final UnixSocketFile file;

        Unix(EpollProvider provider, LinuxSocket socket, UnixDomainSocketAddress local, UnixSocketFile file) {
            super(provider, socket);
            this.local = local;
            this.file = file;
        }

        @Override
        StreamSource accepted(int fd) {
            LinuxSocket stream = LinuxSocket.newSocket(fd);
            UnixDomainSocketAddress remote = Addresses.unix(stream.remoteDomainSocketAddress());
            return new UnixStream(provider, stream, local, remote, true, null);
        }

        @Override
        public SocketAddress localAddress() throws IOException {
            ensureOpen();
            return local;
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
            return "unix listener " + AddressText.of(local);
        }
    }
}
