package io.thrust.benchmarks.claims;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A routing table that many threads read and one replaces as a whole. */
interface Routes {
    /** Where a path leads to, by which edition of the table. */
    record Route(long edition, String target) {}

    /** A reader looks up two paths; returns whether both came from the same edition. */
    boolean agree(String one, String other);

    /** Replaces all; the table is the callee's from now on. */
    void replace(Map<String, Route> table);

    static Routes named(String name) {
        return switch (name) {
            case "snapshot" -> new Snapshot();
            case "read-write lock" -> new Locked();
            case "concurrent map" -> new Concurrent();
            default -> throw new IllegalArgumentException("there is no table \"" + name + "\"");
        };
    }

    private static boolean agree(Map<String, Route> table, String one, String other) {
        Route first = table.get(one);
        Route second = table.get(other);
        if (first == null || second == null) {
            throw new IllegalStateException("no edition is without " + one + " and " + other);
        }
        return first.edition == second.edition;
    }

    /** A table that nobody changes, behind one volatile field. */
    final class Snapshot implements Routes {
        private volatile Map<String, Route> current = Map.of();

        @Override
        public boolean agree(String one, String other) {
            return Routes.agree(current, one, other);
        }

        @Override
        public void replace(Map<String, Route> table) {
            current = table;
        }
    }

    /** A table that is changed in place, under a lock. */
    final class Locked implements Routes {
        private final Map<String, Route> table = new HashMap<>();
        private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

        @Override
        public boolean agree(String one, String other) {
            lock.readLock().lock();
            try {
                return Routes.agree(table, one, other);
            } finally {
                lock.readLock().unlock();
            }
        }

        @Override
        public void replace(Map<String, Route> table) {
            lock.writeLock().lock();
            try {
                this.table.keySet().retainAll(table.keySet());
                this.table.putAll(table);
            } finally {
                lock.writeLock().unlock();
            }
        }
    }

    /** A table that is changed in place, route by route. */
    final class Concurrent implements Routes {
        private final Map<String, Route> table = new ConcurrentHashMap<>();

        @Override
        public boolean agree(String one, String other) {
            return Routes.agree(table, one, other);
        }

        @Override
        public void replace(Map<String, Route> table) {
            this.table.keySet().retainAll(table.keySet());
            this.table.putAll(table);
        }
    }
}
