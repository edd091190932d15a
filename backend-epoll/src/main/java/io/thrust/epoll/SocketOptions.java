package io.thrust.epoll;

import io.netty.channel.ChannelException;
import io.netty.channel.epoll.LinuxSocket;
import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** The options of one kind of stream, with the values that java.nio gives them. */
final class SocketOptions {
    static final SocketOptions TCP = new SocketOptions(
            StandardSocketOptions.TCP_NODELAY,
            StandardSocketOptions.SO_KEEPALIVE,
            StandardSocketOptions.SO_LINGER,
            StandardSocketOptions.SO_SNDBUF,
            StandardSocketOptions.SO_RCVBUF,
            StandardSocketOptions.SO_REUSEADDR,
            StandardSocketOptions.SO_REUSEPORT);

    static final SocketOptions UNIX = new SocketOptions(
            StandardSocketOptions.SO_LINGER, StandardSocketOptions.SO_SNDBUF, StandardSocketOptions.SO_RCVBUF);

    /** java.nio cuts longer times to this one. */
    private static final int MAX_LINGER_SECONDS = 65_535;

    private final Set<SocketOption<?>> supported;

    private SocketOptions(SocketOption<?>... supported) {
        this.supported = Collections.unmodifiableSet(new LinkedHashSet<>(List.of(supported)));
    }

    Set<SocketOption<?>> supported() {
        return supported;
    }

    <T> void set(EpollStream stream, SocketOption<T> option, T value) throws IOException {
        check(stream, option);
        if (value == null) {
            throw new IllegalArgumentException("the value of " + option.name() + " is null");
        }
        try {
            set(stream.socket(), option, value);
        } catch (IOException | ChannelException e) {
            throw Failures.of("set option " + option.name() + " of " + stream, e);
        }
    }

    private static void set(LinuxSocket socket, SocketOption<?> option, Object value) throws IOException {
        switch (option.name()) {
            case "TCP_NODELAY" -> socket.setTcpNoDelay((Boolean) value);
            case "SO_KEEPALIVE" -> socket.setKeepAlive((Boolean) value);
            case "SO_LINGER" -> socket.setSoLinger(Math.min((Integer) value, MAX_LINGER_SECONDS));
            case "SO_SNDBUF" -> socket.setSendBufferSize(size(option, (Integer) value));
            case "SO_RCVBUF" -> socket.setReceiveBufferSize(size(option, (Integer) value));
            case "SO_REUSEADDR" -> socket.setReuseAddress((Boolean) value);
            default -> socket.setReusePort((Boolean) value);
        }
    }

    private static int size(SocketOption<?> option, int bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException(option.name() + " is " + bytes + " bytes, but must be 0 or more");
        }
        return bytes;
    }

    <T> T get(EpollStream stream, SocketOption<T> option) throws IOException {
        check(stream, option);
        try {
            return option.type().cast(get(stream.socket(), option));
        } catch (IOException | ChannelException e) {
            throw Failures.of("get option " + option.name() + " of " + stream, e);
        }
    }

    private static Object get(LinuxSocket socket, SocketOption<?> option) throws IOException {
        return switch (option.name()) {
            case "TCP_NODELAY" -> socket.isTcpNoDelay();
            case "SO_KEEPALIVE" -> socket.isKeepAlive();
            case "SO_LINGER" -> socket.getSoLinger();
            // Linux doubles what is set, for its own bookkeeping, and tells the double.
            case "SO_SNDBUF" -> socket.getSendBufferSize() / 2;
            case "SO_RCVBUF" -> socket.getReceiveBufferSize() / 2;
            case "SO_REUSEADDR" -> socket.isReuseAddress();
            default -> socket.isReusePort();
        };
    }

    private void check(EpollStream stream, SocketOption<?> option) {
        if (!supported.contains(Objects.requireNonNull(option, "option"))) {
            throw new UnsupportedOperationException(stream + " has no option " + option.name() + "; it has "
                    + supported.stream().map(SocketOption::name).sorted().collect(Collectors.joining(", ")));
        }
    }
}
