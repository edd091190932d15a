package io.thrust.examples;

import io.thrust.net.TcpStream;
import io.thrust.task.Async;
import io.thrust.task.Waker;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Serves one connection until either side ends it; a connection that breaks has ended, which is no error. */
abstract class Connection implements Async<@Nullable Void> {
    final TcpStream stream;

    Connection(TcpStream stream) {
        this.stream = stream;
    }

    /** Makes what progress is possible; {@link #READY} once there is nothing more to do. */
    abstract boolean serve(Waker waker) throws IOException;

    /** Lets go of what this holds apart from the stream. */
    void release() {}

    @Override
    public final boolean poll(Waker waker) {
        boolean ended = READY;
        try {
            ended = serve(waker);
        } catch (IOException e) {
            // The peer has gone.
        } finally {
            if (ended) {
                cancel();
            }
        }
        return ended;
    }

    @Override
    public final @Nullable Void result() {
        return null;
    }

    @Override
    public final void cancel() {
        release();
        try {
            stream.close();
        } catch (IOException e) {
            // Closed nevertheless, and all that mattered was sent.
        }
    }
}
