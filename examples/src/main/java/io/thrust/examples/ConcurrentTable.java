package io.thrust.examples;

import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A table in a {@link ConcurrentHashMap}. Reading takes no lock and an update touches one entry; but a lookup asks for one
 * length after the other, and may see an update between them, and keys are objects.
 */
final class ConcurrentTable implements RoutingTable {
    private final ConcurrentHashMap<Long, Route> routes = new ConcurrentHashMap<>();

    /** Bit n is set if a prefix of length n was put. */
    private volatile long lengths;

    ConcurrentTable(PrefixMap routes) {
        routes.forEach(this::put);
    }

    @Override
    public @Nullable Route lookup(int address) {
        long left = lengths;
        while (left != 0) {
            int length = Long.SIZE - 1 - Long.numberOfLeadingZeros(left);
            Route route = routes.get(Prefix.key(address, length));
            if (route != null) {
                return route;
            }
            left &= ~(1L << length);
        }
        return null;
    }

    @Override
    public void put(Route route) {
        Prefix prefix = route.prefix();
        routes.put(prefix.key(), route);
        long length = 1L << prefix.length();
        if ((lengths & length) == 0) {
            lengths = lengths | length;
        }
    }

    @Override
    public int size() {
        return routes.size();
    }
}
