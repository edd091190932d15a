package io.thrust.examples;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** {@code [NAME=]HOST:PORT}, the host of an IPv6 address in brackets. */
final class DownstreamConverter implements ITypeConverter<Downstream> {
    DownstreamConverter() {}

    @Override
    public Downstream convert(String value) {
        int equals = value.indexOf('=');
        int colon = value.lastIndexOf(':');
        String host = colon > equals ? value.substring(equals + 1, colon) : "";
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.indexOf(':') >= 0) {
            host = "";
        }
        if (host.isEmpty() || equals == 0) {
            throw new TypeConversionException(
                    "\"" + value + "\" is no server; give HOST:PORT or NAME=HOST:PORT, an IPv6 address in brackets");
        }
        int port = new Address.PortConverter().convert(value.substring(colon + 1));
        if (port == 0) {
            throw new TypeConversionException(
                    "\"" + value + "\": port 0 is none to connect to; give one from 1 to 65535");
        }
        return new Downstream(equals < 0 ? value : value.substring(0, equals), host, port);
    }
}
