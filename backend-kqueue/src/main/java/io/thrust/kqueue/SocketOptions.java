package io.thrust.kqueue;

import io.thrust.poll.spi.StreamOptions;
import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;

/** Sets and gets options, with the values that java.nio gives them. */
final class SocketOptions {
    /** Some systems keep seconds in 16 bits. */
    private static final int MAX_LINGER_SECONDS_OF_BSD = 32_767;

    private SocketOptions() {}

    static <T> void set(KqueueStream stream, SocketOption<T> option, T value) throws IOException {
        StreamOptions.requireSupported(stream, option);
        StreamOptions.requireValue(option, value);
        Kernel kernel = stream.kernel;
        Numbers numbers = kernel.numbers();
        int result;
        if (option == StandardSocketOptions.SO_LINGER) {
            int most =
                    numbers.os == OperatingSystem.LINUX ? StreamOptions.MAX_LINGER_SECONDS : MAX_LINGER_SECONDS_OF_BSD;
            int seconds = Math.min((Integer) value, most);
            int on = seconds >= 0 ? 1 : 0;
            result = SocketCalls.setOption(
                    kernel, stream.fd, numbers.solSocket, numbers.soLinger, on, Math.max(seconds, 0));
        } else {
            int number =
                    value instanceof Boolean on ? (on ? 1 : 0) : StreamOptions.requireSize(option, (Integer) value);
            result = SocketCalls.setOption(kernel, stream.fd, level(numbers, option), name(numbers, option), number);
        }
        if (result < 0) {
            throw kernel.failure("set option " + option.name() + " of " + stream, result);
        }
    }

    static <T> T get(KqueueStream stream, SocketOption<T> option) throws IOException {
        StreamOptions.requireSupported(stream, option);
        Kernel kernel = stream.kernel;
        Numbers numbers = kernel.numbers();
        boolean linger = option == StandardSocketOptions.SO_LINGER;
        int result =
                SocketCalls.getOption(kernel, stream.fd, level(numbers, option), name(numbers, option), linger ? 2 : 1);
        if (result < 0) {
            throw kernel.failure("get option " + option.name() + " of " + stream, result);
        }
        int value = Scratch.get().value(0);
        Object typed;
        if (linger) {
            typed = value == 0 ? -1 : Scratch.get().value(1);
        } else if (option.type() == Boolean.class) {
            typed = value != 0;
        } else {
            // Linux doubles what is set, for its own bookkeeping, and tells the double.
            typed = numbers.os == OperatingSystem.LINUX ? value / 2 : value;
        }
        return option.type().cast(typed);
    }

    private static int level(Numbers numbers, SocketOption<?> option) {
        return option == StandardSocketOptions.TCP_NODELAY ? numbers.ipprotoTcp : numbers.solSocket;
    }

    private static int name(Numbers numbers, SocketOption<?> option) {
        return switch (option.name()) {
            case "TCP_NODELAY" -> numbers.tcpNodelay;
            case "SO_KEEPALIVE" -> numbers.soKeepalive;
            case "SO_LINGER" -> numbers.soLinger;
            case "SO_SNDBUF" -> numbers.soSndbuf;
            case "SO_RCVBUF" -> numbers.soRcvbuf;
            case "SO_REUSEADDR" -> numbers.soReuseaddr;
            case "SO_REUSEPORT" -> numbers.soReuseport;
            default -> throw new IllegalArgumentException("option " + option.name());
        };
    }
}
