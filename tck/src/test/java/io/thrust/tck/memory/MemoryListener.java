package io.thrust.tck.memory;

import io.thrust.poll.Interest;
import io.thrust.poll.ListenOptions;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.StreamSource;
import io.thrust.poll.spi.SocketError;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** A listener: a queue of connections to accept, and behind it those that wait for a place in the queue. */
final class MemoryListener extends MemorySource implements ListenerSource {
    final ListenOptions options;
    private final InetSocketAddress address;
    private final ArrayDeque<MemoryStream> queue = new ArrayDeque<>();
    private final ArrayDeque<MemoryStream> pending = new ArrayDeque<>();

    MemoryListener(MemoryNet net, InetSocketAddress local, ListenOptions options) throws IOException {
        super(net);
        this.options = options;
        boolean done = false;
        net.lock.lock();
        try {
            address = net.listen(local, this);
            done = true;
        } finally {
            if (!done) {
                net.closeDescriptor(descriptor);
            }
            net.lock.unlock();
        }
    }

    InetSocketAddress address() {
        return address;
    }

    /** A client connects. */
    void connect(MemoryStream client) {
        if (queue.size() > options.backlog()) {
            pending.add(client);
        } else {
            establish(client);
        }
    }

    private void establish(MemoryStream client) {
        queue.add(client.establish(this));
        arrived(true, false);
    }

    void forget(MemoryStream client) {
        pending.remove(client);
    }

    @Override
    boolean isReadable() {
        return !queue.isEmpty();
    }

    @Override
    boolean isWritable() {
        return net.has(Fault.LISTENERS_ARE_WRITABLE);
    }

    @Override
    boolean isHungUp() {
        return false;
    }

    @Override
    void release() {
        net.unlisten(this);
        queue.forEach(MemoryStream::refuse);
        pending.forEach(MemoryStream::refuse);
        queue.clear();
        pending.clear();
    }

    @Override
    public Interest directions() {
        return net.has(Fault.LISTENERS_ARE_WRITABLE) ? Interest.READ_WRITE : Interest.READ;
    }

    @Override
    public @Nullable StreamSource accept() throws IOException {
        net.lock.lock();
        try {
            ensureOpen();
            MemoryStream accepted = queue.poll();
            if (accepted != null) {
                if (!pending.isEmpty()) {
                    establish(pending.remove());
                }
                if (net.has(Fault.ACCEPT_FAILS_ON_GONE_CLIENTS) && accepted.isReset()) {
                    throw SocketError.RESET.exception("accept on " + address);
                }
            }
            return accepted;
        } finally {
            net.lock.unlock();
        }
    }

    @Override
    public SocketAddress localAddress() {
        return address;
    }
}
