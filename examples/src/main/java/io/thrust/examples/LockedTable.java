package io.thrust.examples;

import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * A table that is changed in its place under a read-write lock. Readers do not exclude each other, but each counts itself in
 * and out in the same word of memory, which wanders between the processors; and a loop that reads waits for an update.
 */
final class LockedTable implements RoutingTable {
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final PrefixMap routes;

    LockedTable(PrefixMap routes) {
        this.routes = routes.copy();
    }

    @Override
    public @Nullable Route lookup(int address) {
        lock.readLock().lock();
        try {
            return routes.longest(address);
        } finally {
            lock.readLock().unlock();
        }
    }

    @Override
    public void put(Route route) {
        lock.writeLock().lock();
        try {
            routes.put(route);
        } finally {
            lock.writeLock().unlock();
        }
    }

    @Override
    public int size() {
        lock.readLock().lock();
        try {
            return routes.size();
        } finally {
            lock.readLock().unlock();
        }
    }
}
