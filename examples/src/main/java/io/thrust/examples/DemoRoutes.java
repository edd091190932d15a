package io.thrust.examples;

import java.util.ArrayList;
import java.util.List;

/** The prefixes of the routing-table example: 10.0.0.0/8, then its parts of length 16, then theirs of length 24. */
final class DemoRoutes {
    private static final int NETWORK = 10 << 24;
    private static final int SITES = 1 << 8;
    private static final int SUBNETS = 1 << 16;

    static final int MOST = 1 + SITES + SUBNETS;

    private DemoRoutes() {}

    /** The first of them, from 1 to {@value #MOST}. */
    static List<Prefix> prefixes(int count) {
        List<Prefix> prefixes = new ArrayList<>(count);
        prefixes.add(new Prefix(NETWORK, 8));
        for (int site = 0; site < SITES && prefixes.size() < count; site++) {
            prefixes.add(new Prefix(NETWORK | site << 16, 16));
        }
        for (int subnet = 0; subnet < SUBNETS && prefixes.size() < count; subnet++) {
            prefixes.add(new Prefix(NETWORK | subnet << 8, 24));
        }
        return prefixes;
    }

    static PrefixMap map(List<Prefix> prefixes) {
        PrefixMap routes = new PrefixMap();
        prefixes.forEach(prefix -> routes.put(RouteUpdates.initial(prefix)));
        return routes;
    }
}
