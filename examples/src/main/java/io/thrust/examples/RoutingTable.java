package io.thrust.examples;

import org.jspecify.annotations.Nullable;

/** Routes that any number of threads read and one replaces. */
interface RoutingTable {
    /** The route of the longest prefix that the address begins with, or null; from any thread. */
    @Nullable Route lookup(int address);

    /** Adds the route, or replaces the one of the same prefix; from one thread at a time. */
    void put(Route route);

    /** The number of routes; from any thread. */
    int size();
}
