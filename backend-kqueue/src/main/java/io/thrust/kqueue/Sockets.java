package io.thrust.kqueue;

import io.thrust.poll.ConnectOptions;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.StreamSource;
import io.thrust.poll.spi.AddressText;
import io.thrust.poll.spi.UnixSocketFile;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import org.jspecify.annotations.Nullable;

/** Opens sockets. Whatever fails closes what was opened. */
final class Sockets {
    private static final boolean IPV4_ONLY = Boolean.getBoolean("java.net.preferIPv4Stack");

    private final KqueueProvider provider;
    private final Kernel kernel;
    private final Syscalls syscalls;
    private final Numbers numbers;
    private final Sockaddr sockaddr;

    Sockets(KqueueProvider provider, Kernel kernel) {
        this.provider = provider;
        this.kernel = kernel;
        this.syscalls = kernel.syscalls();
        this.numbers = kernel.numbers();
        this.sockaddr = new Sockaddr(numbers);
    }

    /** The address that a socket is bound to, or null if the system knows none. */
    static @Nullable InetSocketAddress localInet(Kernel kernel, int fd) {
        Scratch scratch = Scratch.get();
        scratch.prepareAddress();
        int result = kernel.syscalls().getsockname(fd, scratch.address(), scratch.lengthAddress());
        return result < 0
                ? null
                : new Sockaddr(kernel.numbers()).inet(scratch.bytes(), scratch.addressIndex(), scratch.addressLength());
    }

    // ---- listening

    ListenerSource listen(SocketAddress local, ListenOptions options) throws IOException {
        if (local instanceof UnixDomainSocketAddress path) {
            return listenUnix(path, options);
        }
        InetSocketAddress address = inet(local);
        String operation = "listen on " + AddressText.of(address);
        // As with java.nio, the any-address of either family means both, where both are.
        boolean both = address.getAddress().isAnyLocalAddress() && numbers.os.hasDualStack() && !IPV4_ONLY;
        if (both && !Addresses.isIpv6(address)) {
            int errno = ipv6Errno();
            both = errno == 0;
        }
        return listenTcp(address, both || Addresses.isIpv6(address), both, options, operation);
    }

    /** 0 if a socket of IPv6 can be had, or the error number if there is no IPv6. */
    private int ipv6Errno() {
        int fd = Descriptors.trySocket(kernel, numbers.afInet6);
        if (fd >= 0) {
            syscalls.close(fd);
            return 0;
        }
        // Other failures are for the caller's own socket to find.
        return -fd == numbers.eafnosupport ? -fd : 0;
    }

    private ListenerSource listenTcp(
            InetSocketAddress local, boolean ipv6, boolean both, ListenOptions options, String operation)
            throws IOException {
        int fd = Descriptors.socket(kernel, ipv6 ? numbers.afInet6 : numbers.afInet, operation);
        boolean done = false;
        try {
            if (ipv6 && numbers.os.hasDualStack()) {
                set(fd, numbers.ipprotoIpv6, numbers.ipv6V6only, both ? 0 : 1, operation);
            }
            if (options.reuseAddress()) {
                set(fd, numbers.solSocket, numbers.soReuseaddr, 1, operation);
            }
            if (options.reusePort()) {
                set(fd, numbers.solSocket, numbers.soReuseport, 1, operation);
            }
            if (options.noDelay()) {
                set(fd, numbers.ipprotoTcp, numbers.tcpNodelay, 1, operation);
            }
            setBuffers(fd, options.receiveBuffer(), 0, operation);
            Scratch scratch = Scratch.get();
            int length = sockaddr.put(scratch.bytes(), scratch.addressIndex(), local, ipv6);
            check(syscalls.bind(fd, scratch.address(), length), operation);
            check(syscalls.listen(fd, options.backlog()), operation);
            InetSocketAddress bound = localInet(kernel, fd);
            ListenerSource listener = new KqueueListener.Tcp(provider, kernel, fd, bound == null ? local : bound);
            done = true;
            return listener;
        } finally {
            if (!done) {
                syscalls.close(fd);
            }
        }
    }

    private ListenerSource listenUnix(UnixDomainSocketAddress local, ListenOptions options) throws IOException {
        String operation = "listen on " + AddressText.of(local);
        byte[] path = pathBytes(local, operation);
        int fd = Descriptors.socket(kernel, numbers.afUnix, operation);
        UnixSocketFile file = null;
        boolean done = false;
        try {
            setBuffers(fd, options.receiveBuffer(), 0, operation);
            file = bindUnix(fd, local, path, operation);
            check(syscalls.listen(fd, options.backlog()), operation);
            ListenerSource listener = new KqueueListener.Unix(provider, kernel, fd, local, file);
            done = true;
            return listener;
        } finally {
            if (!done) {
                closeUnix(fd, file);
            }
        }
    }

    private UnixSocketFile bindUnix(int fd, UnixDomainSocketAddress local, byte[] path, String operation)
            throws IOException {
        // Whatever exists at the path, a symbolic link too, the system says that the address is in use.
        Scratch scratch = Scratch.get();
        int length = sockaddr.put(scratch.bytes(), scratch.addressIndex(), path);
        check(syscalls.bind(fd, scratch.address(), length), operation);
        return UnixSocketFile.bound(local);
    }

    private void closeUnix(int fd, @Nullable UnixSocketFile file) throws IOException {
        try {
            UnixSocketFile.delete(file);
        } finally {
            syscalls.close(fd);
        }
    }

    // ---- connecting

    StreamSource connect(SocketAddress remote, ConnectOptions options) throws IOException {
        SocketAddress local = options.localAddress();
        if (!(remote instanceof UnixDomainSocketAddress path)) {
            return connectTcp(inet(remote), local == null ? null : inet(local), options);
        }
        if (local == null) {
            return connectUnix(path, Addresses.UNNAMED, options);
        }
        if (!(local instanceof UnixDomainSocketAddress localPath)) {
            throw new UnsupportedAddressTypeException();
        }
        return connectUnix(path, localPath, options);
    }

    private StreamSource connectTcp(InetSocketAddress remote, @Nullable InetSocketAddress local, ConnectOptions options)
            throws IOException {
        String operation = "connect to " + AddressText.of(remote);
        boolean ipv6 = Addresses.isIpv6(remote) || (local != null && Addresses.isIpv6(local));
        int fd = Descriptors.socket(kernel, ipv6 ? numbers.afInet6 : numbers.afInet, operation);
        boolean done = false;
        try {
            if (ipv6 && numbers.os.hasDualStack() && !(local != null && Addresses.isIpv6(remote))) {
                set(fd, numbers.ipprotoIpv6, numbers.ipv6V6only, 0, operation);
            }
            if (options.noDelay()) {
                set(fd, numbers.ipprotoTcp, numbers.tcpNodelay, 1, operation);
            }
            setBuffers(fd, options.receiveBuffer(), options.sendBuffer(), operation);
            Scratch scratch = Scratch.get();
            if (local != null) {
                int length = sockaddr.put(scratch.bytes(), scratch.addressIndex(), local, ipv6);
                check(
                        syscalls.bind(fd, scratch.address(), length),
                        "bind to " + AddressText.of(local) + " to " + operation);
            }
            int length = sockaddr.put(scratch.bytes(), scratch.addressIndex(), remote, ipv6);
            boolean connected = connect(fd, scratch, length, operation);
            StreamSource stream = new TcpStream(provider, kernel, fd, remote, connected);
            done = true;
            return stream;
        } finally {
            if (!done) {
                syscalls.close(fd);
            }
        }
    }

    private StreamSource connectUnix(
            UnixDomainSocketAddress remote, UnixDomainSocketAddress local, ConnectOptions options) throws IOException {
        String operation = "connect to " + AddressText.of(remote);
        String bind = "bind to " + AddressText.of(local) + " to " + operation;
        byte[] path = pathBytes(remote, operation);
        byte[] localPath = local.equals(Addresses.UNNAMED) ? null : pathBytes(local, bind);
        int fd = Descriptors.socket(kernel, numbers.afUnix, operation);
        UnixSocketFile file = null;
        boolean done = false;
        try {
            setBuffers(fd, options.receiveBuffer(), options.sendBuffer(), operation);
            if (localPath != null) {
                file = bindUnix(fd, local, localPath, bind);
            }
            Scratch scratch = Scratch.get();
            int length = sockaddr.put(scratch.bytes(), scratch.addressIndex(), path);
            boolean connected = connect(fd, scratch, length, operation);
            StreamSource stream = new UnixStream(provider, kernel, fd, local, remote, connected, file);
            done = true;
            return stream;
        } finally {
            if (!done) {
                closeUnix(fd, file);
            }
        }
    }

    /** Returns whether it is connected already. */
    private boolean connect(int fd, Scratch scratch, int length, String operation) throws IOException {
        int result = syscalls.connect(fd, scratch.address(), length);
        // Interrupted, it goes on all the same.
        if (result < 0 && -result != numbers.einprogress && -result != numbers.eintr) {
            throw Failures.connecting(numbers, operation, -result);
        }
        return result >= 0;
    }

    // ---- what both need

    private static InetSocketAddress inet(SocketAddress address) {
        if (!(address instanceof InetSocketAddress inet)) {
            throw new UnsupportedAddressTypeException();
        }
        if (inet.isUnresolved()) {
            throw new UnresolvedAddressException();
        }
        if (IPV4_ONLY && Addresses.isIpv6(inet)) {
            throw new UnsupportedAddressTypeException();
        }
        return inet;
    }

    private void setBuffers(int fd, int receiveBuffer, int sendBuffer, String operation) throws IOException {
        if (receiveBuffer > 0) {
            set(fd, numbers.solSocket, numbers.soRcvbuf, receiveBuffer, operation);
        }
        if (sendBuffer > 0) {
            set(fd, numbers.solSocket, numbers.soSndbuf, sendBuffer, operation);
        }
    }

    private void set(int fd, int level, int option, int value, String operation) throws IOException {
        check(SocketCalls.setOption(kernel, fd, level, option, value), operation);
    }

    private void check(int result, String operation) throws IOException {
        if (result < 0) {
            throw kernel.failure(operation, result);
        }
    }

    /** With room for the terminating zero. */
    private byte[] pathBytes(UnixDomainSocketAddress address, String operation) throws SocketException {
        return UnixSocketFile.pathBytes(address, numbers.os.unixPathBytes() - 1, operation);
    }
}
