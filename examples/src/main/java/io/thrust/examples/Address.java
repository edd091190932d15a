package io.thrust.examples;

import java.net.InetSocketAddress;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The options that tell where to listen or to connect. */
final class Address {
    static final String PORT_VARIABLE = "PORT";

    private static final int MOST_PORT = 65535;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // by picocli
    private CommandSpec spec;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            defaultValue = "127.0.0.1",
            description = "Name or address; by default ${DEFAULT-VALUE}.")
    private String host = "127.0.0.1";

    @Option(
            names = "--port",
            paramLabel = "PORT",
            converter = PortConverter.class,
            description =
                    "From 0 to 65535; a server takes a free one for 0. By default that of the environment variable"
                            + " PORT, else the usual one.")
    private @Nullable Integer port;

    /**
     * The address that was asked for.
     *
     * @param usualPort if neither the option nor the environment names one
     */
    InetSocketAddress resolve(int usualPort) {
        InetSocketAddress address = new InetSocketAddress(host, port(System.getenv(), usualPort));
        if (address.isUnresolved()) {
            throw new CommandFailure("cannot resolve the host \"" + host + "\"");
        }
        return address;
    }

    int port(Map<String, String> environment, int usualPort) {
        if (port != null) {
            return port;
        }
        String value = environment.getOrDefault(PORT_VARIABLE, "").strip();
        if (value.isEmpty()) {
            return usualPort;
        }
        try {
            return parse(value);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(
                    spec.commandLine(), "Invalid value of the environment variable PORT: " + e.getMessage());
        }
    }

    private static int parse(String value) {
        int port;
        try {
            port = Integer.parseInt(value);
        } catch (NumberFormatException e) {
            port = -1;
        }
        if (port < 0 || port > MOST_PORT) {
            throw new IllegalArgumentException(
                    "\"" + value + "\" is no port; give a whole number from 0 to " + MOST_PORT);
        }
        return port;
    }

    /** As it stands in a URL. */
    static String format(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    static final class PortConverter implements ITypeConverter<Integer> {
        PortConverter() {}

        @Override
        public Integer convert(String value) {
            try {
                return parse(value);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
