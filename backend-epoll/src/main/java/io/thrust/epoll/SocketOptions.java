package io.thrust.epoll;

import io.netty.channel.ChannelException;
import io.netty.channel.epoll.LinuxSocket;
import io.thrust.poll.spi.StreamOptions;
import java.io.IOException;
import java.net.SocketOption;

/** Sets and gets options, with the values that java.nio gives them. */
final class SocketOptions {
    private SocketOptions() {}

    static <T> void set(EpollStream stream, SocketOption<T> option, T value) throws IOException {
        StreamOptions.requireSupported(stream, option);
        StreamOptions.requireValue(option, value);
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
            case "SO_LINGER" -> socket.setSoLinger(Math.min((Integer) value, StreamOptions.MAX_LINGER_SECONDS));
            case "SO_SNDBUF" -> socket.setSendBufferSize(StreamOptions.requireSize(option, (Integer) value));
            case "SO_RCVBUF" -> socket.setReceiveBufferSize(StreamOptions.requireSize(option, (Integer) value));
            case "SO_REUSEADDR" -> socket.setReuseAddress((Boolean) value);
            default -> socket.setReusePort((Boolean) value);
        }
    }

    static <T> T get(EpollStream stream, SocketOption<T> option) throws IOException {
        StreamOptions.requireSupported(stream, option);
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
}
