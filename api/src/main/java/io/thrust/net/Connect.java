package io.thrust.net;

import io.thrust.EventLoop;
import io.thrust.poll.ConnectOptions;
import io.thrust.poll.Interest;
import io.thrust.poll.StreamSource;
import io.thrust.reactor.Registration;
import io.thrust.task.AbstractAsync;
import io.thrust.task.Waker;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** See {@link TcpStream#connect}. */
final class Connect extends AbstractAsync<TcpStream> {
    private final InetSocketAddress remote;
    private final ConnectOptions options;
    private @Nullable TcpStream stream;

    Connect(InetSocketAddress remote, ConnectOptions options) {
        this.remote = Objects.requireNonNull(remote, "remote");
        this.options = Objects.requireNonNull(options, "options");
    }

    @Override
    protected boolean advance(Waker waker) throws IOException {
        TcpStream stream = this.stream;
        if (stream == null) {
            EventLoop loop = EventLoop.current();
            StreamSource source = loop.provider().connect(remote, options);
            stream = TcpStream.register(loop, source, Interest.READ_WRITE);
            this.stream = stream;
        }
        Registration registration = stream.registration();
        try {
            while (registration.pollWritable(this, waker)) {
                if (stream.source().finishConnect()) {
                    return true;
                }
                registration.clearWritable();
            }
            return false;
        } catch (Throwable t) {
            Sources.closeAfter(t, stream);
            throw t;
        }
    }

    @Override
    protected TcpStream value() {
        return Objects.requireNonNull(stream);
    }

    @Override
    protected void release() {
        if (stream != null) {
            stream.closeQuietly();
        }
    }
}
