package io.thrust.tck.memory;

import io.thrust.poll.PollerProvider;
import io.thrust.poll.Source;
import io.thrust.poll.SourceClosedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What all sources in memory have in common; every field is guarded by the lock of the network. */
abstract class MemorySource implements Source {
    final MemoryNet net;
    final int descriptor;
    private boolean open = true;

    @Nullable Registration registration;

    MemorySource(MemoryNet net) {
        this.net = net;
        net.lock.lock();
        try {
            descriptor = net.openDescriptor();
        } finally {
            net.lock.unlock();
        }
    }

    abstract boolean isReadable();

    abstract boolean isWritable();

    abstract boolean isHungUp();

    /** Releases what the source holds; under the lock. */
    abstract void release();

    /** Something arrived for reading, or room for writing. */
    final void arrived(boolean reading, boolean writing) {
        Registration present = registration;
        if (present != null) {
            present.arrived(reading, writing);
        }
    }

    final void ensureOpen() throws SourceClosedException {
        if (!open) {
            throw new SourceClosedException(this + " is closed");
        }
    }

    @Override
    public final PollerProvider provider() {
        return net.provider;
    }

    @Override
    public final boolean isOpen() {
        return open;
    }

    @Override
    public final void close() throws IOException {
        net.lock.lock();
        try {
            if (!open) {
                return;
            }
            Registration present = registration;
            boolean registered = present != null;
            if (present != null) {
                if (!net.has(Fault.STRANGERS_MAY_CLOSE)) {
                    present.poller.checkOwner();
                }
                if (net.has(Fault.CLOSE_KEEPS_REGISTRATION)) {
                    registration = null;
                } else {
                    present.poller.remove(this, present, !net.has(Fault.CLOSE_DOES_NOT_BLANK));
                }
            }
            open = false;
            if (registered && net.has(Fault.CLOSE_WAITS_FOR_POLL)) {
                net.putOff.add(this::free);
            } else {
                free();
            }
        } finally {
            net.lock.unlock();
        }
    }

    private void free() {
        release();
        net.closeDescriptor(descriptor);
    }

    /** A read of nothing, which most kernels answer strangely. */
    final boolean isNothing(ByteBuffer buffer) {
        return !buffer.hasRemaining() && !net.has(Fault.ZERO_READ_IS_THE_END);
    }

    @Override
    public String toString() {
        return "memory " + getClass().getSimpleName().replace("Memory", "").toLowerCase(Locale.ROOT) + " " + descriptor;
    }
}
