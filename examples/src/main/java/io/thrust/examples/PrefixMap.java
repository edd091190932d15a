package io.thrust.examples;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Routes by their prefixes, in a table with open addressing: looking one up makes no object and follows no pointer but that
 * of the route. Not thread-safe: either it is changed no more once others see it, or a lock guards it.
 */
final class PrefixMap {
    private static final int LEAST_CAPACITY = 16;
    /** Of the golden ratio: spreads keys that differ in a few bits. */
    private static final long SPREAD = 0x9e3779b97f4a7c15L;

    /** A power of two, at least twice as many as routes. */
    private long[] keys;

    /** Null where there is no key. */
    private @Nullable Route[] routes;

    private int size;

    /** Bit n is set if a prefix of length n was put. */
    private long lengths;

    PrefixMap() {
        keys = new long[LEAST_CAPACITY];
        routes = new @Nullable Route[LEAST_CAPACITY];
    }

    private PrefixMap(PrefixMap other) {
        keys = other.keys.clone();
        routes = other.routes.clone();
        size = other.size;
        lengths = other.lengths;
    }

    PrefixMap copy() {
        return new PrefixMap(this);
    }

    int size() {
        return size;
    }

    void forEach(Consumer<Route> action) {
        for (Route route : routes) {
            if (route != null) {
                action.accept(route);
            }
        }
    }

    /** The route of the longest prefix that the address begins with, or null. */
    @Nullable Route longest(int address) {
        long left = lengths;
        while (left != 0) {
            int length = Long.SIZE - 1 - Long.numberOfLeadingZeros(left);
            Route route = routes[slot(keys, routes, Prefix.key(address, length))];
            if (route != null) {
                return route;
            }
            left &= ~(1L << length);
        }
        return null;
    }

    /** Adds the route, or replaces the one of the same prefix. */
    void put(Route route) {
        if (2 * (size + 1) > keys.length) {
            grow();
        }
        long key = route.prefix().key();
        int slot = slot(keys, routes, key);
        if (routes[slot] == null) {
            size++;
            keys[slot] = key;
            lengths |= 1L << route.prefix().length();
        }
        routes[slot] = route;
    }

    private void grow() {
        long[] keys = new long[2 * this.keys.length];
        @Nullable Route[] routes = new @Nullable Route[keys.length];
        for (Route route : this.routes) {
            if (route != null) {
                int slot = slot(keys, routes, route.prefix().key());
                keys[slot] = route.prefix().key();
                routes[slot] = route;
            }
        }
        this.keys = keys;
        this.routes = routes;
    }

    /** Where the key lies, or would. */
    private static int slot(long[] keys, @Nullable Route[] routes, long key) {
        int mask = keys.length - 1;
        int slot = (int) (key * SPREAD >>> Integer.SIZE) & mask;
        while (routes[slot] != null && keys[slot] != key) {
            slot = slot + 1 & mask;
        }
        return slot;
    }
}
