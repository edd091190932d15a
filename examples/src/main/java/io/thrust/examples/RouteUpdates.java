package io.thrust.examples;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Replaces one route after the other, as the protocols would by which routers tell each other of theirs. */
final class RouteUpdates {
    static final int MOST_PER_MINUTE = 6_000_000;

    private static final long NANOS_PER_MINUTE = TimeUnit.MINUTES.toNanos(1);
    /** The addresses 192.0.2.1 to 192.0.2.254 are those of no machine (RFC 5737). */
    private static final int NEXT_HOPS = 0xc0_00_02_01;

    private static final int NEXT_HOP_COUNT = 254;

    private final RoutingTable table;
    private final List<Prefix> prefixes;
    private final SplittableRandom random = new SplittableRandom(1);

    /** Written by one thread. */
    private volatile long count;

    /**
     * Creates updates of a table.
     *
     * @param prefixes those to choose from, at least one
     */
    RouteUpdates(RoutingTable table, List<Prefix> prefixes) {
        this.table = table;
        this.prefixes = prefixes;
    }

    /** A route that no update has made. */
    static Route initial(Prefix prefix) {
        return new Route(prefix, NEXT_HOPS, 0);
    }

    /** Replaces the route of one of the prefixes; called by one thread at a time. */
    void update() {
        long number = count + 1;
        Prefix prefix = prefixes.get(random.nextInt(prefixes.size()));
        table.put(new Route(prefix, NEXT_HOPS + random.nextInt(NEXT_HOP_COUNT), number));
        count = number;
    }

    /** How many updates were made; from any thread. */
    long count() {
        return count;
    }

    /**
     * Starts a thread that updates at even intervals until it is interrupted; what it is late for it makes up.
     *
     * @param perMinute from 1 to {@value #MOST_PER_MINUTE}
     * @return the thread, which does not keep the JVM alive
     */
    Thread start(int perMinute) {
        long period = NANOS_PER_MINUTE / perMinute;
        Thread updater = new Thread(() -> updateEvery(period), "updater");
        updater.setDaemon(true);
        updater.start();
        return updater;
    }

    private void updateEvery(long period) {
        long due = System.nanoTime() + period;
        while (!Thread.currentThread().isInterrupted()) {
            long left = due - System.nanoTime();
            if (left > 0) {
                LockSupport.parkNanos(this, left);
            } else {
                update();
                due += period;
            }
        }
    }
}
