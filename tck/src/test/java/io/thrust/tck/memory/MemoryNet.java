package io.thrust.tck.memory;

import io.thrust.poll.spi.SocketError;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The network of one provider: its lock, its descriptors, who listens where, and the fault. */
final class MemoryNet {
    final ReentrantLock lock = new ReentrantLock();
    final MemoryProvider provider;
    final Style style;
    private final @Nullable Fault fault;
    final List<MemoryPoller> pollers = new ArrayList<>();
    /** What the fault of late closing has put off until the next poll. */
    final List<Runnable> putOff = new ArrayList<>();

    private final BitSet descriptors = new BitSet();
    private final List<MemoryListener> listeners = new ArrayList<>();
    private final Set<InetSocketAddress> clients = new HashSet<>();
    private int nextPort = 20_000;
    private long events;

    MemoryNet(MemoryProvider provider, Style style, @Nullable Fault fault) {
        this.provider = provider;
        this.style = style;
        this.fault = fault;
    }

    boolean has(Fault candidate) {
        return fault == candidate;
    }

    /** Every so many-th call is true. */
    boolean everyNth(int n) {
        return ++events % n == 0;
    }

    int openDescriptor() {
        int number = descriptors.nextClearBit(3);
        descriptors.set(number);
        return number;
    }

    void closeDescriptor(int number) {
        descriptors.clear(number);
    }

    static InetSocketAddress checked(SocketAddress address) {
        if (!(address instanceof InetSocketAddress internet)) {
            throw new UnsupportedAddressTypeException();
        }
        if (internet.isUnresolved()) {
            throw new UnresolvedAddressException();
        }
        return internet;
    }

    InetSocketAddress listen(InetSocketAddress local, MemoryListener listener) throws SocketException {
        InetSocketAddress address = withPort(local);
        if (inUse(address)) {
            throw SocketError.ADDRESS_IN_USE.exception("listen on " + address);
        }
        listeners.add(listener);
        return address;
    }

    InetSocketAddress bindClient(@Nullable SocketAddress local, InetSocketAddress remote) throws SocketException {
        if (local == null) {
            InetAddress host =
                    remote.getAddress().isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : remote.getAddress();
            InetSocketAddress address = new InetSocketAddress(host, freePort());
            clients.add(address);
            return address;
        }
        InetSocketAddress address = withPort(checked(local));
        if (inUse(address) || !clients.add(address)) {
            throw SocketError.ADDRESS_IN_USE.exception("bind to " + address);
        }
        return address;
    }

    void unbindClient(InetSocketAddress address) {
        clients.remove(address);
    }

    void unlisten(MemoryListener listener) {
        listeners.remove(listener);
    }

    @Nullable MemoryListener listenerAt(InetSocketAddress address) {
        for (MemoryListener listener : listeners) {
            InetSocketAddress at = listener.address();
            if (at.getPort() == address.getPort()
                    && (at.getAddress().isAnyLocalAddress() || at.getAddress().equals(address.getAddress()))) {
                return listener;
            }
        }
        return null;
    }

    private boolean inUse(InetSocketAddress address) {
        return listenerAt(address) != null;
    }

    private InetSocketAddress withPort(InetSocketAddress address) {
        return address.getPort() != 0 ? address : new InetSocketAddress(address.getAddress(), freePort());
    }

    private int freePort() {
        nextPort = nextPort == 60_000 ? 20_000 : nextPort + 1;
        return nextPort;
    }
}
