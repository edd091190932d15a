package io.thrust.tck.netty;

import io.netty.channel.ChannelException;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.Socket;
import io.thrust.poll.ConnectOptions;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.StreamSource;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import org.jspecify.annotations.Nullable;

/** Opens sockets. Whatever fails closes what was opened. */
final class NettySockets {
    private static final boolean IPV4_ONLY = Boolean.getBoolean("java.net.preferIPv4Stack");
    private static final UnixDomainSocketAddress UNNAMED = UnixDomainSocketAddress.of("");

    private NettySockets() {}

    /** A socket of a family of one's choice, which Netty's own class leaves to its subclasses. */
    private static final class TcpSocket extends Socket {
        private TcpSocket(int fd) {
            super(fd);
        }

        static TcpSocket open(boolean ipv6) {
            return new TcpSocket(newSocketStream0(ipv6));
        }
    }

    // ---- listening

    static ListenerSource listen(NettyKqueueProvider provider, SocketAddress local, ListenOptions options)
            throws IOException {
        String operation = "listen on " + text(local);
        UnixDomainSocketAddress unix = local instanceof UnixDomainSocketAddress address ? address : null;
        SocketAddress nativeLocal = unix != null ? NettySocketFile.free(unix, operation) : bindable(inet(local));
        Socket socket = null;
        NettySocketFile file = null;
        boolean done = false;
        try {
            socket = unix != null ? Socket.newSocketDomain() : TcpSocket.open(isIpv6(nativeLocal));
            if (unix == null) {
                socket.setReuseAddress(options.reuseAddress());
                if (options.reusePort()) {
                    socket.setReusePort(true);
                }
                if (options.noDelay()) {
                    socket.setTcpNoDelay(true);
                }
            }
            if (options.receiveBuffer() > 0) {
                socket.setReceiveBufferSize(options.receiveBuffer());
            }
            socket.bind(nativeLocal);
            if (unix != null) {
                file = NettySocketFile.bound(unix);
            }
            socket.listen(options.backlog());
            SocketAddress bound = unix != null ? unix : plain(socket.localAddress());
            ListenerSource listener = new NettyListener(provider, socket, bound == null ? local : bound, file);
            done = true;
            return listener;
        } catch (IOException | ChannelException e) {
            throw NettyErrors.of(operation, e);
        } finally {
            closeUnless(done, socket, file);
        }
    }

    /** As with java.nio, the any-address of either family means both, where both are. */
    private static InetSocketAddress bindable(InetSocketAddress address) {
        return address.getAddress().isAnyLocalAddress() && Socket.isIPv6Preferred()
                ? new InetSocketAddress(ofBytes(new byte[16]), address.getPort())
                : address;
    }

    // ---- connecting

    static StreamSource connect(NettyKqueueProvider provider, SocketAddress remote, ConnectOptions options)
            throws IOException {
        SocketAddress local = options.localAddress();
        String connect = "connect to " + text(remote);
        String bind = "bind to " + (local == null ? "nothing" : text(local)) + " to " + connect;
        UnixDomainSocketAddress unix = remote instanceof UnixDomainSocketAddress address ? address : null;
        UnixDomainSocketAddress unixLocal = UNNAMED;
        SocketAddress nativeRemote;
        SocketAddress nativeLocal = null;
        if (unix != null) {
            nativeRemote = NettySocketFile.checked(unix, connect);
            if (local != null) {
                if (!(local instanceof UnixDomainSocketAddress path)) {
                    throw new UnsupportedAddressTypeException();
                }
                unixLocal = path;
                nativeLocal = path.equals(UNNAMED) ? null : NettySocketFile.free(path, bind);
            }
        } else {
            nativeRemote = inet(remote);
            nativeLocal = local == null ? null : inet(local);
        }
        String operation = connect;
        Socket socket = null;
        NettySocketFile file = null;
        boolean done = false;
        try {
            socket = unix != null
                    ? Socket.newSocketDomain()
                    : TcpSocket.open(isIpv6(nativeRemote) || (nativeLocal != null && isIpv6(nativeLocal)));
            if (unix == null && options.noDelay()) {
                socket.setTcpNoDelay(true);
            }
            if (options.receiveBuffer() > 0) {
                socket.setReceiveBufferSize(options.receiveBuffer());
            }
            if (options.sendBuffer() > 0) {
                socket.setSendBufferSize(options.sendBuffer());
            }
            if (nativeLocal != null) {
                operation = bind;
                socket.bind(nativeLocal);
                if (unix != null) {
                    file = NettySocketFile.bound(unixLocal);
                }
                operation = connect;
            }
            boolean connected = socket.connect(nativeRemote);
            StreamSource stream =
                    new NettyStream(provider, socket, remote, unix != null ? unixLocal : null, file, connected);
            done = true;
            return stream;
        } catch (IOException | ChannelException e) {
            throw NettyErrors.of(operation, e);
        } finally {
            closeUnless(done, socket, file);
        }
    }

    private static void closeUnless(boolean done, @Nullable Socket socket, @Nullable NettySocketFile file)
            throws IOException {
        if (!done && socket != null) {
            try {
                NettySocketFile.delete(file);
            } finally {
                socket.close();
            }
        }
    }

    // ---- addresses

    private static InetSocketAddress inet(SocketAddress address) {
        if (!(address instanceof InetSocketAddress inet)) {
            throw new UnsupportedAddressTypeException();
        }
        if (inet.isUnresolved()) {
            throw new UnresolvedAddressException();
        }
        if (isIpv6(inet) && IPV4_ONLY) {
            throw new UnsupportedAddressTypeException();
        }
        return inet;
    }

    private static boolean isIpv6(SocketAddress address) {
        return address instanceof InetSocketAddress inet && inet.getAddress() instanceof Inet6Address;
    }

    /** Drops a scope that says nothing: Netty writes {@code %0} behind a link-local address without one. */
    static @Nullable InetSocketAddress plain(@Nullable InetSocketAddress address) {
        if (address != null
                && address.getAddress() instanceof Inet6Address ipv6
                && ipv6.isLinkLocalAddress()
                && ipv6.getScopeId() == 0) {
            return new InetSocketAddress(ofBytes(ipv6.getAddress()), address.getPort());
        }
        return address;
    }

    private static InetAddress ofBytes(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(bytes.length + " bytes are no address", e);
        }
    }

    static UnixDomainSocketAddress unix(@Nullable DomainSocketAddress address) {
        String path = address == null ? "" : address.path();
        return path.isEmpty() || path.charAt(0) == 0 ? UNNAMED : UnixDomainSocketAddress.of(path);
    }

    /** {@code host:port} or {@code [host]:port}, with the host as digits; or the path, or a word for there being none. */
    static String text(SocketAddress address) {
        if (!(address instanceof InetSocketAddress inet)) {
            String path = address.toString();
            return path.isEmpty() ? "(unnamed)" : path;
        }
        InetAddress host = inet.getAddress();
        String digits = host == null ? inet.getHostString() : host.getHostAddress();
        return host instanceof Inet6Address ? "[" + digits + "]:" + inet.getPort() : digits + ":" + inet.getPort();
    }
}
