package io.thrust.examples;

import org.jspecify.annotations.Nullable;

/**
 * A table that is replaced as a whole: a reader takes the present snapshot by one volatile read, and has it for as long
 * as it likes; an update copies it, changes the copy, and publishes that by one volatile write. So reading costs the same
 * however many read, and all of an update is seen or nothing; what an update costs grows with the table.
 */
final class SnapshotTable implements RoutingTable {
    /** Never changed once it is here. */
    private volatile PrefixMap snapshot;

    SnapshotTable(PrefixMap routes) {
        snapshot = routes.copy();
    }

    @Override
    public @Nullable Route lookup(int address) {
        return snapshot.longest(address);
    }

    @Override
    public void put(Route route) {
        PrefixMap next = snapshot.copy();
        next.put(route);
        snapshot = next;
    }

    @Override
    public int size() {
        return snapshot.size();
    }
}
