package io.thrust.epoll;

import io.netty.channel.ChannelException;
import io.netty.channel.epoll.LinuxSocket;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.Socket;
import io.netty.util.NetUtil;
import io.thrust.poll.ConnectOptions;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.StreamSource;
import io.thrust.poll.spi.AddressText;
import io.thrust.poll.spi.UnixSocketFile;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import org.jspecify.annotations.Nullable;

/** Opens sockets. Whatever fails closes what was opened. */
final class Sockets {
    private Sockets() {}

    static ListenerSource listen(EpollProvider provider, SocketAddress local, ListenOptions options)
            throws IOException {
        if (local instanceof UnixDomainSocketAddress path) {
            return listenUnix(provider, path, options);
        }
        InetSocketAddress address = inet(local);
        // As with java.nio, the any-address of either family means both, where both are.
        boolean both = address.getAddress().isAnyLocalAddress() && Socket.isIPv6Preferred();
        return listenTcp(
                provider,
                both ? new InetSocketAddress(Addresses.ANY_IPV6, address.getPort()) : address,
                address,
                options);
    }

    /** @param asked for messages */
    private static ListenerSource listenTcp(
            EpollProvider provider, InetSocketAddress local, InetSocketAddress asked, ListenOptions options)
            throws IOException {
        LinuxSocket socket = null;
        boolean done = false;
        try {
            socket = LinuxSocket.newSocketStream(isIpv6(local));
            socket.setReuseAddress(options.reuseAddress());
            if (options.reusePort()) {
                socket.setReusePort(true);
            }
            if (options.noDelay()) {
                socket.setTcpNoDelay(true);
            }
            if (options.receiveBuffer() > 0) {
                socket.setReceiveBufferSize(options.receiveBuffer());
            }
            socket.bind(local);
            socket.listen(options.backlog());
            InetSocketAddress bound = socket.localAddress();
            ListenerSource listener =
                    new EpollListener.Tcp(provider, socket, bound == null ? local : Addresses.plain(bound));
            done = true;
            return listener;
        } catch (IOException | ChannelException e) {
            throw Failures.of("listen on " + AddressText.of(asked), e);
        } finally {
            closeUnless(done, socket, null);
        }
    }

    private static ListenerSource listenUnix(
            EpollProvider provider, UnixDomainSocketAddress local, ListenOptions options) throws IOException {
        String operation = "listen on " + AddressText.of(local);
        DomainSocketAddress path = Addresses.free(local, operation);
        LinuxSocket socket = null;
        UnixSocketFile file = null;
        boolean done = false;
        try {
            socket = LinuxSocket.newSocketDomain();
            if (options.receiveBuffer() > 0) {
                socket.setReceiveBufferSize(options.receiveBuffer());
            }
            socket.bind(path);
            file = UnixSocketFile.bound(local);
            socket.listen(options.backlog());
            ListenerSource listener = new EpollListener.Unix(provider, socket, local, file);
            done = true;
            return listener;
        } catch (IOException | ChannelException e) {
            throw Failures.of(operation, e);
        } finally {
            closeUnless(done, socket, file);
        }
    }

    static StreamSource connect(EpollProvider provider, SocketAddress remote, ConnectOptions options)
            throws IOException {
        SocketAddress local = options.localAddress();
        if (!(remote instanceof UnixDomainSocketAddress path)) {
            return connectTcp(provider, inet(remote), local == null ? null : inet(local), options);
        }
        if (local == null) {
            return connectUnix(provider, path, Addresses.UNNAMED, options);
        }
        if (!(local instanceof UnixDomainSocketAddress localPath)) {
            throw new UnsupportedAddressTypeException();
        }
        return connectUnix(provider, path, localPath, options);
    }

    private static StreamSource connectTcp(
            EpollProvider provider, InetSocketAddress remote, @Nullable InetSocketAddress local, ConnectOptions options)
            throws IOException {
        String connect = "connect to " + AddressText.of(remote);
        String operation = connect;
        LinuxSocket socket = null;
        boolean done = false;
        try {
            socket = LinuxSocket.newSocketStream(isIpv6(remote) || (local != null && isIpv6(local)));
            if (options.noDelay()) {
                socket.setTcpNoDelay(true);
            }
            setBuffers(socket, options);
            if (local != null) {
                operation = "bind to " + AddressText.of(local) + " to " + connect;
                socket.bind(local);
                operation = connect;
            }
            StreamSource stream = new TcpStream(provider, socket, remote, socket.connect(remote));
            done = true;
            return stream;
        } catch (IOException | ChannelException e) {
            throw Failures.connecting(operation, e);
        } finally {
            closeUnless(done, socket, null);
        }
    }

    private static StreamSource connectUnix(
            EpollProvider provider,
            UnixDomainSocketAddress remote,
            UnixDomainSocketAddress local,
            ConnectOptions options)
            throws IOException {
        String connect = "connect to " + AddressText.of(remote);
        String bind = "bind to " + AddressText.of(local) + " to " + connect;
        DomainSocketAddress remotePath = Addresses.checked(remote, connect);
        DomainSocketAddress localPath = local.equals(Addresses.UNNAMED) ? null : Addresses.free(local, bind);
        String operation = connect;
        LinuxSocket socket = null;
        UnixSocketFile file = null;
        boolean done = false;
        try {
            socket = LinuxSocket.newSocketDomain();
            setBuffers(socket, options);
            if (localPath != null) {
                operation = bind;
                socket.bind(localPath);
                file = UnixSocketFile.bound(local);
                operation = connect;
            }
            StreamSource stream = new UnixStream(provider, socket, local, remote, socket.connect(remotePath), file);
            done = true;
            return stream;
        } catch (IOException | ChannelException e) {
            throw Failures.connecting(operation, e);
        } finally {
            closeUnless(done, socket, file);
        }
    }

    private static void setBuffers(LinuxSocket socket, ConnectOptions options) throws IOException {
        if (options.receiveBuffer() > 0) {
            socket.setReceiveBufferSize(options.receiveBuffer());
        }
        if (options.sendBuffer() > 0) {
            socket.setSendBufferSize(options.sendBuffer());
        }
    }

    private static InetSocketAddress inet(SocketAddress address) {
        if (!(address instanceof InetSocketAddress inet)) {
            throw new UnsupportedAddressTypeException();
        }
        if (inet.isUnresolved()) {
            throw new UnresolvedAddressException();
        }
        if (isIpv6(inet) && NetUtil.isIpV4StackPreferred()) {
            throw new UnsupportedAddressTypeException();
        }
        return inet;
    }

    private static boolean isIpv6(InetSocketAddress address) {
        return address.getAddress() instanceof Inet6Address;
    }

    private static void closeUnless(boolean done, @Nullable LinuxSocket socket, @Nullable UnixSocketFile file)
            throws IOException {
        if (!done && socket != null) {
            try {
                UnixSocketFile.delete(file);
            } finally {
                socket.close();
            }
        }
    }
}
