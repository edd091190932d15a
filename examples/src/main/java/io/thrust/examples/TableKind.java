package io.thrust.examples;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How the routing table is shared between those who read it and the one who changes it. */
enum TableKind {
    SNAPSHOT(SnapshotTable::new),
    RWLOCK(LockedTable::new),
    CONCURRENT(ConcurrentTable::new);

    private final Function<PrefixMap, RoutingTable> constructor;

    TableKind(Function<PrefixMap, RoutingTable> constructor) {
        this.constructor = constructor;
    }

    /** Creates a table with these routes, which stay the caller's. */
    RoutingTable create(PrefixMap routes) {
        return constructor.apply(routes);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    static final class Converter implements ITypeConverter<TableKind> {
        Converter() {}

        @Override
        public TableKind convert(String value) {
            for (TableKind kind : values()) {
                if (kind.toString().equals(value)) {
                    return kind;
                }
            }
            throw new TypeConversionException("\"" + value + "\" is no table; give one of "
                    + Arrays.stream(values()).map(TableKind::toString).collect(Collectors.joining(", ")));
        }
    }
}
