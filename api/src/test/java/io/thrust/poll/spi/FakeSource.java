package io.thrust.poll.spi;

import io.thrust.poll.Interest;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.StreamSource;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Set;

/** A stream or listener whose system calls are a script. */
public final class FakeSource extends AbstractSource implements StreamSource, ListenerSource {
    /** A system call on buffers. */
    @FunctionalInterface
    public interface Transfer {
        long apply(ByteBuffer[] buffers) throws IOException;
    }

    /** A system call that may fail. */
    @FunctionalInterface
    public interface Call<T> {
        T run() throws IOException;
    }

    private final String name;
    public Object identity = this;
    public Interest directions = Interest.READ_WRITE;
    public Transfer onRead = buffers -> WOULD_BLOCK;
    public Transfer onWrite = buffers -> WOULD_BLOCK;
    public Call<Boolean> onFinishConnect = () -> true;
    public Call<SocketAddress> onLocalAddress = () -> new InetSocketAddress("127.0.0.1", 1);
    public Call<Void> onRelease = () -> null;
    /** Before an accept looks at {@link #waiting}. */
    public Call<Void> onAccept = () -> null;

    public final ArrayDeque<StreamSource> waiting = new ArrayDeque<>();
    public volatile int releases;
    public int reads;
    public int writes;

    public FakeSource(FakeProvider provider, String name) {
        super(provider);
        this.name = name;
    }

    @Override
    protected Object identity() {
        return identity;
    }

    @Override
    public Interest directions() {
        return directions;
    }

    @Override
    protected void release() throws IOException {
        releases++;
        onRelease.run();
    }

    @Override
    public int read(ByteBuffer dst) throws IOException {
        reads++;
        return (int) onRead.apply(new ByteBuffer[] {dst});
    }

    @Override
    public boolean isDrainedByShortRead() {
        return true;
    }

    @Override
    public int write(ByteBuffer src) throws IOException {
        return (int) write(new ByteBuffer[] {src}, 0, 1);
    }

    @Override
    public long write(ByteBuffer[] srcs, int offset, int length) throws IOException {
        writes++;
        ByteBuffer[] range = new ByteBuffer[length];
        System.arraycopy(srcs, offset, range, 0, length);
        return onWrite.apply(range);
    }

    @Override
    public boolean finishConnect() throws IOException {
        return onFinishConnect.run();
    }

    @Override
    public StreamSource accept() throws IOException {
        reads++;
        onAccept.run();
        return waiting.poll();
    }

    @Override
    public void shutdownOutput() {}

    @Override
    public SocketAddress localAddress() throws IOException {
        return onLocalAddress.run();
    }

    @Override
    public SocketAddress remoteAddress() {
        return new InetSocketAddress("127.0.0.1", 2);
    }

    @Override
    public <T> void setOption(SocketOption<T> option, T value) {}

    @Override
    public <T> T getOption(SocketOption<T> option) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return Set.of();
    }

    @Override
    public String toString() {
        return name;
    }
}
