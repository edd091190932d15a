package io.thrust.tck.memory;

import io.thrust.poll.ConnectOptions;
import io.thrust.poll.Interest;
import io.thrust.poll.SourceClosedException;
import io.thrust.poll.StreamSource;
import io.thrust.poll.spi.SocketError;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetConnectedException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One end of a connection. */
final class MemoryStream extends MemorySource implements StreamSource {
    private static final int CAPACITY = 64 << 10;
    private static final Set<SocketOption<?>> OPTIONS = Set.of(
            StandardSocketOptions.TCP_NODELAY,
            StandardSocketOptions.SO_KEEPALIVE,
            StandardSocketOptions.SO_LINGER,
            StandardSocketOptions.SO_SNDBUF,
            StandardSocketOptions.SO_RCVBUF,
            StandardSocketOptions.SO_REUSEADDR);

    private enum State {
        CONNECTING,
        CONNECTED,
        REFUSED
    }

    private final InetSocketAddress local;
    private final InetSocketAddress remote;
    private final boolean bound;
    private final Map<SocketOption<?>, Object> options = new HashMap<>();
    private State state;
    private ByteQueue in;
    private ByteQueue out;
    private @Nullable MemoryStream peer;
    private @Nullable MemoryListener listener;
    private boolean outputShut;
    private boolean reset;

    /** The client's end. */
    MemoryStream(MemoryNet net, InetSocketAddress remote, ConnectOptions options) throws SocketException {
        super(net);
        this.remote = remote;
        this.bound = true;
        this.in = new ByteQueue(capacity(options.receiveBuffer()));
        this.out = new ByteQueue(1);
        initialOptions(options.noDelay());
        boolean done = false;
        net.lock.lock();
        try {
            local = net.bindClient(options.localAddress(), remote);
            state = State.CONNECTING;
            MemoryListener target = net.listenerAt(remote);
            if (target == null) {
                state = State.REFUSED;
            } else {
                listener = target;
                target.connect(this);
            }
            done = true;
        } finally {
            if (!done) {
                net.closeDescriptor(descriptor);
            }
            net.lock.unlock();
        }
    }

    /** The server's end. */
    private MemoryStream(MemoryNet net, MemoryStream client, MemoryListener listener) {
        super(net);
        this.local = client.remote;
        this.remote = client.local;
        this.bound = false;
        this.state = State.CONNECTED;
        this.peer = client;
        this.in = new ByteQueue(capacity(listener.options.receiveBuffer()));
        this.out = client.in;
        initialOptions(listener.options.noDelay());
    }

    private static int capacity(int asked) {
        return asked == 0 ? CAPACITY : asked;
    }

    private void initialOptions(boolean noDelay) {
        options.put(StandardSocketOptions.TCP_NODELAY, noDelay);
        options.put(StandardSocketOptions.SO_KEEPALIVE, false);
        options.put(StandardSocketOptions.SO_LINGER, -1);
        options.put(StandardSocketOptions.SO_SNDBUF, CAPACITY);
        options.put(StandardSocketOptions.SO_RCVBUF, CAPACITY);
        options.put(StandardSocketOptions.SO_REUSEADDR, false);
    }

    /** Makes the server's end; called by the listener. */
    MemoryStream establish(MemoryListener by) {
        MemoryStream server = new MemoryStream(net, this, by);
        peer = server;
        out = server.in;
        listener = null;
        state = State.CONNECTED;
        arrived(false, true);
        return server;
    }

    /** The listener was closed: the server's end of a connection in its queue, or a client that waits for a place. */
    void refuse() {
        if (state == State.CONNECTING) {
            listener = null;
            state = State.REFUSED;
            arrived(true, true);
        } else {
            MemoryStream other = peer;
            if (other != null) {
                other.resetByPeer();
            }
        }
    }

    boolean isReset() {
        return reset;
    }

    private void resetByPeer() {
        reset = true;
        in.clear();
        arrived(true, !net.has(Fault.RESET_HIDDEN_FROM_WRITERS));
    }

    private boolean isPeerGone() {
        return out.abandoned;
    }

    @Override
    boolean isReadable() {
        return in.size() > 0
                || reset
                || state == State.REFUSED
                || (in.ended && !net.has(Fault.HANGUP_WITHOUT_DATA_DROPPED));
    }

    @Override
    boolean isWritable() {
        if (state == State.CONNECTING
                || (in.ended && net.has(Fault.HALF_CLOSE_ENDS_WRITING))
                || (state == State.REFUSED && net.has(Fault.REFUSAL_IS_REPORTED_AS_READING))) {
            return false;
        }
        return state == State.REFUSED
                || (reset && !net.has(Fault.RESET_HIDDEN_FROM_WRITERS))
                || outputShut
                || isPeerGone()
                || out.room() > 0
                || net.has(Fault.WRITABLE_WHEN_FULL);
    }

    @Override
    boolean isHungUp() {
        return reset || in.ended || state == State.REFUSED;
    }

    @Override
    void release() {
        if (bound) {
            net.unbindClient(local);
        }
        MemoryListener waiting = listener;
        if (waiting != null) {
            waiting.forget(this);
        }
        in.abandoned = true;
        MemoryStream other = peer;
        if (other != null) {
            if (Integer.valueOf(0).equals(options.get(StandardSocketOptions.SO_LINGER))) {
                other.resetByPeer();
            } else {
                out.ended = true;
                if (net.has(Fault.THE_END_DISCARDS_DATA)) {
                    out.clear();
                }
                other.arrived(true, true);
            }
        }
    }

    @Override
    public Interest directions() {
        return Interest.READ_WRITE;
    }

    @Override
    public boolean finishConnect() throws IOException {
        net.lock.lock();
        try {
            ensureOpen();
            if (state == State.REFUSED) {
                if (net.has(Fault.REFUSED_CONNECT_SUCCEEDS)) {
                    return true;
                }
                if (net.has(Fault.REFUSAL_LOOKS_CLOSED)) {
                    throw new ClosedChannelException();
                }
                if (net.has(Fault.REFUSAL_IS_TOLD_ONCE)) {
                    state = State.CONNECTING;
                }
                throw SocketError.REFUSED.exception("connect to " + remote);
            }
            return state == State.CONNECTED || net.has(Fault.PENDING_CONNECT_IS_DONE);
        } finally {
            net.lock.unlock();
        }
    }

    @Override
    public int read(ByteBuffer dst) throws IOException {
        net.lock.lock();
        try {
            ensureOpen();
            if (isNothing(dst)) {
                return 0;
            }
            if (state != State.CONNECTED) {
                return notConnected();
            }
            if (reset) {
                if (net.has(Fault.RESET_IS_READ_AS_THE_END)) {
                    return END_OF_STREAM;
                }
                throw SocketError.RESET.exception("read from " + remote);
            }
            boolean wasFull = in.isFull();
            int count = in.take(dst);
            if (count == 0) {
                return in.ended || !dst.hasRemaining() ? END_OF_STREAM : wouldBlock(dst);
            }
            MemoryStream other = peer;
            if (wasFull && other != null) {
                other.arrived(false, true);
            }
            return count;
        } finally {
            net.lock.unlock();
        }
    }

    private int wouldBlock(ByteBuffer buffer) {
        if (net.has(Fault.WOULD_BLOCK_MOVES_POSITION)) {
            buffer.position(buffer.limit());
        }
        return WOULD_BLOCK;
    }

    private int notConnected() throws IOException {
        if (state == State.REFUSED) {
            throw SocketError.REFUSED.exception("connect to " + remote);
        }
        throw new NotYetConnectedException();
    }

    @Override
    public int write(ByteBuffer src) throws IOException {
        net.lock.lock();
        try {
            ensureOpen();
            if (!src.hasRemaining()) {
                return 0;
            }
            if (state != State.CONNECTED) {
                return notConnected();
            }
            if (outputShut && !net.has(Fault.WRITES_AFTER_SHUTDOWN_VANISH)) {
                throw SocketError.BROKEN_PIPE.exception("write to " + remote);
            }
            if (outputShut) {
                int count = src.remaining();
                src.position(src.limit());
                return count;
            }
            if (reset) {
                throw SocketError.RESET.exception("write to " + remote);
            }
            if (isPeerGone()) {
                throw SocketError.BROKEN_PIPE.exception("write to " + remote);
            }
            int count = out.put(src);
            if (count == 0) {
                return WOULD_BLOCK;
            }
            MemoryStream other = peer;
            if (other != null) {
                other.arrived(true, false);
            }
            return count;
        } finally {
            net.lock.unlock();
        }
    }

    @Override
    public long write(ByteBuffer[] srcs, int offset, int length) throws IOException {
        return MemoryOutput.gather(this, net, srcs, offset, length);
    }

    @Override
    public void shutdownOutput() throws IOException {
        net.lock.lock();
        try {
            ensureOpen();
            if (state == State.CONNECTING && !net.has(Fault.PENDING_CONNECT_IS_DONE)) {
                throw new NotYetConnectedException();
            }
            if (!outputShut) {
                outputShut = true;
                out.ended = true;
                MemoryStream other = peer;
                if (other != null) {
                    other.arrived(true, false);
                }
            }
        } finally {
            net.lock.unlock();
        }
    }

    @Override
    public boolean isDrainedByShortRead() {
        return true;
    }

    @Override
    public SocketAddress localAddress() {
        return local;
    }

    @Override
    public SocketAddress remoteAddress() {
        return remote;
    }

    private void checkSupported(SocketOption<?> option) throws SourceClosedException {
        ensureOpen();
        if (!OPTIONS.contains(option)) {
            throw new UnsupportedOperationException(this + " has no option " + option + ", but " + OPTIONS);
        }
    }

    @Override
    public <T> void setOption(SocketOption<T> option, T value) throws IOException {
        checkSupported(option);
        if (!net.has(Fault.OPTIONS_ARE_DROPPED) || option == StandardSocketOptions.SO_LINGER) {
            options.put(option, value);
        }
    }

    @Override
    public <T> T getOption(SocketOption<T> option) throws IOException {
        checkSupported(option);
        return option.type().cast(options.get(option));
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return OPTIONS;
    }
}
