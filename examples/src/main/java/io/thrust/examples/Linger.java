package io.thrust.examples;

import io.thrust.Timers;
import io.thrust.net.TcpStream;
import io.thrust.task.Async;
import io.thrust.task.Waker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Ends the outgoing direction, and reads until the client has ended its own: bytes that come after a close would make
 * the system reset the connection, and a last answer might be lost (RFC 9112, 9.6). Whoever polls it closes the stream
 * afterwards.
 */
final class Linger implements Async<@Nullable Void> {
    private static final Duration MOST_TIME = Duration.ofSeconds(2);
    private static final long MOST_BYTES = 16 * 1024 * 1024;

    private final TcpStream stream;
    /** Where what is dropped is read to; in use only within one poll. */
    private final ByteBuffer scratch;

    private @Nullable Async<@Nullable Void> time;
    private long bytes;

    Linger(TcpStream stream, ByteBuffer scratch) {
        this.stream = stream;
        this.scratch = scratch;
    }

    @Override
    public boolean poll(Waker waker) throws IOException {
        Async<@Nullable Void> time = this.time;
        if (time == null) {
            stream.shutdownOutput();
            time = Timers.sleep(MOST_TIME);
            this.time = time;
        }
        if (pollTime(time, waker) == READY) {
            return READY;
        }
        while (bytes < MOST_BYTES) {
            int read = stream.pollRead(scratch.clear(), waker);
            if (read == TcpStream.PENDING) {
                return PENDING;
            }
            if (read == TcpStream.END_OF_STREAM) {
                break;
            }
            bytes += read;
        }
        time.cancel();
        return READY;
    }

    private static boolean pollTime(Async<@Nullable Void> time, Waker waker) {
        try {
            return time.poll(waker);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("a timer failed", e);
        }
    }

    @Override
    public @Nullable Void result() {
        return null;
    }

    @Override
    public void cancel() {
        if (time != null) {
            time.cancel();
        }
    }
}
