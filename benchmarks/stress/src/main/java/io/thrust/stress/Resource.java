package io.thrust.stress;

import java.util.concurrent.atomic.AtomicInteger;

/** A result that has to be closed, once, by whoever takes it or else by the library. */
final class Resource implements AutoCloseable {
    final AtomicInteger closes = new AtomicInteger();

    @Override
    public void close() {
        closes.incrementAndGet();
    }
}
