package io.thrust.kqueue;

import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

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

    /** java.nio cuts longer times to this one; some systems keep seconds in 16 bits. */
    private static final int MAX_LINGER_SECONDS = 65_535;

    private static final int MAX_LINGER_SECONDS_OF_BSD = 32_767;

    private final Set<SocketOption<?>> supported;

    private SocketOptions(SocketOption<?>... supported) {
        this.supported = Collections.unmodifiableSet(new LinkedHashSet<>(List.of(supported)));
    }

    Set<SocketOption<?>> supported() {
        return supported;
    }

    <T> void set(KqueueStream stream, SocketOption<T> option, T value) throws IOException {
        check(stream, option);
        if (value == null) {
            throw new IllegalArgumentException("the value of " + option.name() + " is null");
        }
        Kernel kernel = stream.kernel;
        Numbers numbers = kernel.numbers();
        int result;
        if (option == StandardSocketOptions.SO_LINGER) {
            int most = numbers.os == OperatingSystem.LINUX ? MAX_LINGER_SECONDS : MAX_LINGER_SECONDS_OF_BSD;
            int seconds = Math.min((Integer) value, most);
            int on = seconds >= 0 ? 1 : 0;
            result = SocketCalls.setOption(
                    kernel, stream.fd, numbers.solSocket, numbers.soLinger, on, Math.max(seconds, 0));
        } else {
            int number = value instanceof Boolean on ? (on ? 1 : 0) : size(option, (Integer) value);
            result = SocketCalls.setOption(kernel, stream.fd, level(numbers, option), name(numbers, option), number);
        }
        if (result < 0) {
            throw kernel.failure("set option " + option.name() + " of " + stream, result);
        }
    }

    private static int size(SocketOption<?> option, int bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException(option.name() + " is " + bytes + " bytes, but must be 0 or more");
        }
        return bytes;
    }

    <T> T get(KqueueStream stream, SocketOption<T> option) throws IOException {
        check(stream, option);
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

    private void check(KqueueStream stream, SocketOption<?> option) {
        if (!supported.contains(Objects.requireNonNull(option, "option"))) {
            throw new UnsupportedOperationException(stream + " has no option " + option.name() + ", but " + supported);
        }
    }
}
