package io.thrust.poll.spi;

import io.thrust.poll.StreamSource;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The options of streams, for backends that set them natively, and the checks of all backends. */
public final class StreamOptions {
    /** Of a TCP stream. */
    public static final Set<SocketOption<?>> TCP = ordered(
            StandardSocketOptions.TCP_NODELAY,
            StandardSocketOptions.SO_KEEPALIVE,
            StandardSocketOptions.SO_LINGER,
            StandardSocketOptions.SO_SNDBUF,
            StandardSocketOptions.SO_RCVBUF,
            StandardSocketOptions.SO_REUSEADDR,
            StandardSocketOptions.SO_REUSEPORT);

    /** Of a Unix domain stream. */
    public static final Set<SocketOption<?>> UNIX =
            ordered(StandardSocketOptions.SO_LINGER, StandardSocketOptions.SO_SNDBUF, StandardSocketOptions.SO_RCVBUF);

    /** java.nio cuts longer times of {@link StandardSocketOptions#SO_LINGER} to this one. */
    public static final int MAX_LINGER_SECONDS = 65_535;

    private StreamOptions() {}

    private static Set<SocketOption<?>> ordered(SocketOption<?>... options) {
        return Collections.unmodifiableSet(new LinkedHashSet<>(List.of(options)));
    }

    /**
     * Checks that a stream has an option.
     *
     * @throws UnsupportedOperationException if it does not; the message lists those that it has
     */
    public static void requireSupported(StreamSource stream, SocketOption<?> option) {
        Objects.requireNonNull(option, "option");
        Set<SocketOption<?>> supported = stream.supportedOptions();
        if (!supported.contains(option)) {
            throw new UnsupportedOperationException(stream + " has no option " + option.name() + "; it has "
                    + supported.stream().map(SocketOption::name).sorted().collect(Collectors.joining(", ")));
        }
    }

    /**
     * Checks that there is a value.
     *
     * @throws IllegalArgumentException if it is null
     */
    public static void requireValue(SocketOption<?> option, @Nullable Object value) {
        if (value == null) {
            throw new IllegalArgumentException("the value of " + option.name() + " is null");
        }
    }

    /**
     * Returns the size of a buffer.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public static int requireSize(SocketOption<?> option, int bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException(option.name() + " is " + bytes + " bytes, but must be 0 or more");
        }
        return bytes;
    }
}
